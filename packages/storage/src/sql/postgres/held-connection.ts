import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { connectionUrl } from './connection-url.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** The callbacks of a held connection. */
export interface HeldConnectionOptions {
  url: string
  /** Prepares every new connection before it counts as open; a throw closes the connection and retries. */
  prepare: (client: Client) => Promise<void>
  onNotification: (payload: string) => void
  /** Called when the connection broke or could not be reopened; another attempt follows. */
  onError: (error: Error) => void
}

/**
 * A connection kept open for the life of the process: it carries the exclusive lock and `LISTEN`, which both
 * end with the connection. After a break it is reopened and prepared again with increasing delays until it is
 * disposed.
 */
export class HeldConnection implements AsyncDisposable {
  readonly #options: HeldConnectionOptions
  readonly #ended = new AbortController()
  #client: Client | null = null
  #reopening: Promise<void> = Promise.resolve()

  private constructor(options: HeldConnectionOptions) {
    this.#options = options
  }

  /** Opens the connection; a first failure is thrown, later ones are retried. */
  static async open(options: HeldConnectionOptions): Promise<HeldConnection> {
    const held = new HeldConnection(options)
    await held.#connect()
    return held
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: connectionUrl(this.#options.url),
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      application_name: 'troupe held',
    })
    let lost: Error | null = null
    let open = false
    const onLost = (error: Error) => {
      lost ??= error
      if (!open || this.#client !== client) return
      this.#client = null
      if (!this.#ended.signal.aborted) this.#reopening = this.#reopen(error)
    }
    client.on('error', onLost)
    client.on('end', () => onLost(new Error('The database closed the connection.')))
    client.on('notification', ({ payload }) => this.#options.onNotification(payload ?? ''))
    try {
      await client.connect()
      await this.#options.prepare(client)
      // If the connection broke after the last response and before this line, no handler has reopened it.
      if (lost) throw lost
      open = true
      this.#client = client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  async #reopen(reason: Error): Promise<void> {
    let failure = reason
    for (
      let wait = FIRST_PAUSE_MS;
      !this.#ended.signal.aborted;
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
    ) {
      this.#options.onError(failure)
      try {
        await pause(wait, undefined, { signal: this.#ended.signal, ref: false })
        await this.#connect()
        return
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort()
    await this.#reopening
    const client = this.#client
    this.#client = null
    await client?.end()
  }
}
