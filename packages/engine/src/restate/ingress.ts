import { connect, rpc } from '@restatedev/restate-sdk-clients'
import { type Delivery, type EngineHealth, EngineUnreachable } from '@troupe/durable-work'
import { describeFailure, type RestateAddress, request, UnexpectedStatus } from './http.ts'
import { type DeliveryInput, idempotencyKey, SERVICES } from './services.ts'

/** The handlers as the client calls them. */
type Advances = { advance: (context: unknown, input: DeliveryInput) => Promise<void> }

/** The ingress address of Restate. */
export class Ingress {
  readonly #address: RestateAddress
  readonly #connection: ReturnType<typeof connect>

  constructor(address: RestateAddress) {
    this.#address = address
    // One retry for a keep-alive connection that did not survive a server restart; the idempotency key makes
    // it safe.
    const retry = { maxAttempts: 2, initialInterval: 50, maxDuration: address.timeoutMs }
    this.#connection = connect({ url: address.url, retry })
  }

  /**
   * Sends a delivery; a delivery that Restate already holds is not taken twice.
   *
   * @returns the id of the invocation, the same for every send of a delivery
   * @throws EngineUnreachable
   */
  async send(delivery: Delivery, delayMs: number): Promise<string> {
    const { lane, runId, slice } = delivery
    const options = rpc.sendOpts<DeliveryInput>({
      idempotencyKey: idempotencyKey(delivery),
      signal: AbortSignal.timeout(this.#address.timeoutMs),
      ...(delayMs > 0 && { delay: delayMs }),
    })
    const service = { name: SERVICES[lane] }
    try {
      const sent = await this.#connection
        .serviceSendClient<Advances>(service)
        .advance({ runId, slice }, options)
      return sent.invocationId
    } catch (cause) {
      throw new EngineUnreachable(this.#sentence(cause), { cause })
    }
  }

  async health(): Promise<EngineHealth> {
    try {
      await request(this.#address, 'GET /restate/health')
      return { healthy: true }
    } catch (error) {
      return { healthy: false, reason: this.#sentence(error) }
    }
  }

  #sentence(error: unknown): string {
    const { url } = this.#address
    if (error instanceof UnexpectedStatus && error.status === 404) {
      return `The engine's ingress at ${url} has no registered worker.`
    }
    return `The engine's ingress at ${url} ${describeFailure(error)}.`
  }
}
