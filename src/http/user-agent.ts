// How this software names itself to servers.

/** Sent as `User-Agent`; the version is that of `package.json`. */
export const USER_AGENT = 'publish-version/1.0.0'
