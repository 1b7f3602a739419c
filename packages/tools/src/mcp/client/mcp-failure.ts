/**
 * Whether the failed request took effect. `refused`: it was not executed. `lost`: unknown, because the response was not
 * read completely.
 */
export type Reach = 'refused' | 'lost'

/** A request failed at the protocol level. The message is a sentence that may repeat the server's text. */
export class McpFailure extends Error {
  override readonly name: string = 'McpFailure'
  readonly reach: Reach

  constructor(reach: Reach, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reach = reach
  }
}

/** The server does not know the session of the request, which it has not executed. */
export class SessionEnded extends McpFailure {
  override readonly name = 'SessionEnded'

  constructor() {
    super('refused', 'Its session has ended.')
  }
}

/** The server responded to a request with a JSON-RPC error. */
export class RpcError extends McpFailure {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super('refused', message)
    this.code = code
  }
}

/** The server's response violates the protocol. */
export class NoProtocol extends McpFailure {
  override readonly name = 'NoProtocol'

  constructor() {
    super('lost', 'Its answer does not follow the protocol.')
  }
}

/** No session could be opened, for the reason in `cause`; the request itself was not sent. */
export class NotOpened extends Error {
  override readonly name = 'NotOpened'

  constructor(cause: unknown) {
    super('The session was not opened.', { cause })
  }
}
