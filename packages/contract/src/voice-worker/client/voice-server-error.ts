/** The server refused a request, or could not be reached. */
export class VoiceServerError extends Error {
  override readonly name = 'VoiceServerError'
  /** The HTTP status; null when no response arrived. */
  readonly status: number | null
  /** The error code of the response; `network_error` without one. */
  readonly code: string

  constructor(status: number | null, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}
