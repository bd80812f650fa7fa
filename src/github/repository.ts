// Which repository is meant, and who asks.

/** A repository, and the token for it. */
export interface RepositoryAccess {
  /** Such as `https://api.github.com`. */
  readonly apiUrl: string
  readonly owner: string
  readonly name: string
  readonly token: string
}
