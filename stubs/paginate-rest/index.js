// Stands in for @octokit/plugin-paginate-rest: `readAll` in src/github/github.ts asks for the pages.
export const paginateRest = () => ({})
