import { ReadableStream, type ReadableStreamDefaultController } from 'node:stream/web'
import { voice } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'

/** A caller's microphone: silent unless something is being said. */
export class HeadlessInput extends voice.AudioInput {
  readonly rate: number
  readonly #isClosed = new AbortController()
  #queue = new Int16Array(0)
  #whenSaid: (() => void) | null = null
  #controller: ReadableStreamDefaultController<AudioFrame> | null = null

  constructor(rate: number) {
    super()
    this.rate = rate
    const stream = new ReadableStream<AudioFrame>({
      start: (controller) => {
        this.#controller = controller
      },
      cancel: () => this.#isClosed.abort(),
    })
    this.multiStream.addInputStream(stream)
  }

  /** Queues samples; resolves when the last one was sent. */
  say(samples: Int16Array): Promise<void> {
    const queue = new Int16Array(this.#queue.length + samples.length)
    queue.set(this.#queue)
    queue.set(samples, this.#queue.length)
    this.#queue = queue
    return new Promise((resolve) => {
      this.#whenSaid = resolve
    })
  }

  /** Sends the next samples. */
  record(samples: number): void {
    if (this.#isClosed.signal.aborted) return
    const step = new Int16Array(samples)
    step.set(this.#queue.subarray(0, samples))
    this.#queue = this.#queue.slice(samples)
    this.#controller?.enqueue(new AudioFrame(step, this.rate, 1, samples))
    if (this.#queue.length > 0 || this.#whenSaid === null) return
    this.#whenSaid()
    this.#whenSaid = null
  }

  override async close(): Promise<void> {
    if (!this.#isClosed.signal.aborted) this.#controller?.close()
    this.#isClosed.abort()
    await super.close()
  }
}
