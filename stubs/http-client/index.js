// Stands in for @actions/http-client, which only the parts of @actions/core and @actions/github use that
// are never called here; it would bring a second HTTP stack into the bundle.
export class HttpClient {
  getAgent() {}
  getAgentDispatcher() {}
}
export class BearerCredentialHandler {}
