/** The server responded with a status other than success. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus'
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** The address of one of the two HTTP APIs of a Restate server. */
export interface RestateAddress {
  /** Without a trailing slash. */
  url: string
  timeoutMs: number
}

/**
 * Sends a request and reads the complete response.
 *
 * @throws UnexpectedStatus, or what `fetch` throws
 */
export async function request(
  { url, timeoutMs }: RestateAddress,
  target: `${'GET' | 'POST' | 'PATCH'} /${string}`,
  body?: object,
): Promise<void> {
  const [method = 'GET', path = '/'] = target.split(' ')
  const response = await fetch(`${url}${path}`, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new UnexpectedStatus(response.status)
}

/**
 * The cause of a failed request, as the end of a sentence about the server: "cannot be reached
 * (ECONNREFUSED)".
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `failed (${String(error)})`
  if ('status' in error && typeof error.status === 'number') return `answered with status ${error.status}`
  if (error.name === 'TimeoutError') return 'did not answer in time'
  return `cannot be reached (${causeOf(error)})`
}

/** `fetch` hides the reason: the socket error is its cause, or one of several causes. */
function causeOf({ message, cause }: Error): string {
  const [first = cause] = cause instanceof AggregateError ? cause.errors : []
  if (first instanceof Error) return 'code' in first ? String(first.code) : first.message
  return message
}
