/** The server refused a request, or could not be reached. */
export class VoiceServerError extends Error {
  override readonly name = 'VoiceServerError'
  /** The HTTP status; null when no answer arrived. */
  readonly status: number | null
  /** The error code of the answer; `network_error` without one. */
  readonly code: string

  constructor(status: number | null, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}
