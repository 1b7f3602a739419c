import { stt, type VAD } from '@livekit/agents'

const ATTEMPT_MS = 10_000

/** Several recognisers, at least one of them streaming: if one fails, the next one gets the speech from then on. */
export class FailoverStt extends stt.FallbackAdapter {
  readonly #made: readonly stt.STT[]

  /** `onFailover` is called when one of them fails. */
  constructor(made: stt.STT[], vad: VAD, onFailover: () => void) {
    super({ sttInstances: made, vad, attemptTimeoutMs: ATTEMPT_MS, maxRetryPerSTT: 1 })
    this.#made = made
    onUnavailable(this, onFailover)
  }

  /** The SDK leaves the recognisers open: their connections, and the files of a local one. */
  override async close(): Promise<void> {
    await super.close()
    await Promise.allSettled(this.#made.map((one) => one.close()))
  }
}

/** The adapter's event is missing in its types. */
function onUnavailable(adapter: object, listener: () => void): void {
  const emitter: { on?: (event: string, heard: (change: { available: boolean }) => void) => void } = adapter
  emitter.on?.('stt_availability_changed', ({ available }) => available || listener())
}
