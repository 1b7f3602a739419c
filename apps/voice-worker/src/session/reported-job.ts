import type { LostJob, WorkerJob } from '@troupe/contract/voice-worker'
import { type ChildStatus, startingJob } from '../worker/child-messages.ts'

/** Tells the parent process how a job is doing, so that heartbeats can name its session. */
export class ReportedJob {
  readonly #send: (status: ChildStatus) => void
  #job: WorkerJob
  #endReported = false

  constructor(job: LostJob, send: (status: ChildStatus) => void) {
    this.#send = send
    this.#job = startingJob(job)
    this.#tell()
  }

  change(change: Partial<Omit<WorkerJob, 'sid' | 'attempt'>>): void {
    this.#job = { ...this.#job, ...change }
    this.#tell()
  }

  /** The server knows how the session ended. */
  endReported(): void {
    this.#endReported = true
    this.#tell()
  }

  #tell(): void {
    this.#send({ case: 'troupeStatus', job: this.#job, endReported: this.#endReported })
  }
}
