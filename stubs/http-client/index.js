// Stands in for @actions/http-client, which only a part of @actions/core uses that is never called here; it
// would bring a second HTTP stack into the bundle.
export class HttpClient {}
export class BearerCredentialHandler {}
