/** A text could not be synthesized. The message contains the reason, is safe for the tenant and has no key. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError'
}
