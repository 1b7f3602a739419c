import type { IdText, VoiceSessionId } from '@troupe/contract'
import type { LostJob, VoiceServer, WorkerHeartbeat, WorkerJob } from '@troupe/contract/voice-worker'
import { startingJob } from './child-messages.ts'

const BEAT_MS = 2_000

/** The contents of a heartbeat besides the lost jobs. */
export type Beat = Omit<WorkerHeartbeat, 'exited'>

/**
 * Reports this worker's state to the server every two seconds, and immediately when a child exits or the worker drains. An
 * unacknowledged heartbeat is repeated with the next one, including its lost jobs.
 */
export class Heartbeats implements AsyncDisposable {
  readonly #server: Pick<VoiceServer, 'heartbeat'>
  readonly #beat: () => Beat
  readonly #onEnd: (sessionId: IdText<VoiceSessionId>) => void
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #lost: readonly LostJob[] = []
  #sending: Promise<void> | null = null
  #again = false

  constructor(options: {
    server: Pick<VoiceServer, 'heartbeat'>
    beat: () => Beat
    /** Called for each session that the server wants to end. */
    onEnd: (sessionId: IdText<VoiceSessionId>) => void
    onError: (error: unknown) => void
    everyMs?: number
  }) {
    this.#server = options.server
    this.#beat = options.beat
    this.#onEnd = options.onEnd
    this.#onError = options.onError
    this.#timer = setInterval(() => this.now(), options.everyMs ?? BEAT_MS)
    this.now()
  }

  /** Reports a job whose child has died. */
  lost(job: LostJob): void {
    this.#lost = [...this.#lost, job]
    this.now()
  }

  /** Sends a heartbeat now, or right after the current one. */
  now(): void {
    if (this.#sending) {
      this.#again = true
      return
    }
    this.#sending = this.#send().finally(() => {
      this.#sending = null
      if (!this.#again) return
      this.#again = false
      this.now()
    })
  }

  async #send(): Promise<void> {
    const exited = this.#lost
    try {
      const end = await this.#server.heartbeat({ ...this.#beat(), exited: [...exited] })
      this.#lost = this.#lost.filter((job) => !exited.includes(job))
      for (const sessionId of end) this.#onEnd(sessionId)
    } catch (error) {
      this.#onError(error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
  }
}

/** The jobs that children have reported, and those just assigned. */
export function jobsOf(described: readonly WorkerJob[], assigned: readonly LostJob[]): WorkerJob[] {
  const known = new Set(described.map(({ sid }) => sid))
  const starting = assigned.filter(({ sid }) => !known.has(sid)).map(startingJob)
  return [...described, ...starting]
}
