// Stands in for @octokit/plugin-rest-endpoint-methods, a method for each route of GitHub's; routes are called by `request`
// here.
export const restEndpointMethods = () => ({})
