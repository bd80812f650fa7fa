// The kinds of statuses of an answer, a word for each (RFC 9110, 15). Pure.

/** 100 to 199: another answer follows. */
export const isInterim = (status: number): boolean => status < 200

/** 200 to 299. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** 300 to 399: the answer is elsewhere. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** 400 to 499: the request is at fault. */
export const isClientError = (status: number): boolean => status >= 400 && status < 500

/** 500 and above: the server is at fault. */
export const isServerError = (status: number): boolean => status >= 500

/** 400 and above. */
export const isError = (status: number): boolean => status >= 400

/** 404: there is no such thing, or the token may not know of it. */
export const isNotFound = (status: number): boolean => status === 404

/** 429 and 500 and above: the same request may succeed later. */
export const isBusy = (status: number): boolean => status === 429 || isServerError(status)

/** 401, 403 and 404: the token does not open this. GitHub answers 404 where it hides that there is something. */
export const isDenied = (status: number): boolean => [401, 403, 404].includes(status)
