import type { LostJob, WorkerJob } from '@troupe/contract/voice-worker'
import { type ChildStatus, startingJob } from '../worker/child-messages.ts'

/** Reports the state of a job to the parent process, so that heartbeats can name its session. */
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

  /** The end of the session was reported to the server. */
  endReported(): void {
    this.#endReported = true
    this.#tell()
  }

  #tell(): void {
    this.#send({ case: 'troupeStatus', job: this.#job, endReported: this.#endReported })
  }
}
