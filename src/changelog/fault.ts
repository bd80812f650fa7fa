// The one error of texts that cannot be made into a changelog.

/** A text that cannot be made into one for buyers; the message says why. */
export class TextFault extends Error {
  override readonly name = 'TextFault'
}
