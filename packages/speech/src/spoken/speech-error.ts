/** A text was not spoken. The message says why, is safe for the tenant and has no key. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError'
}
