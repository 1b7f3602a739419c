import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IdText, isJsonObject, type VoiceSessionId } from '@troupe/contract'
import type { LostJob, WorkerJob } from '@troupe/contract/voice-worker'
import { isChildStatus, type ParentOrder } from './child-messages.ts'

/** Milliseconds for a child to exit after its job: native disposal may hang forever. */
const EXIT_MS = 30_000
/** The file that LiveKit's SDK forks for each job. */
const JOB_PROGRAM = /job_proc_lazy_main\.c?js$/

interface JobChild {
  process: ChildProcess
  job: WorkerJob | null
  endReported: boolean
  killTimer: NodeJS.Timeout | null
}

/**
 * The children of LiveKit's process pool, which does not expose them: found by Node's diagnostics channel for child processes. Maps
 * each child to its session, and kills a child that outlives its job.
 */
export class JobChildren implements Disposable {
  readonly #children = new Map<number, JobChild>()
  readonly #onLost: (job: LostJob) => void
  readonly #exitMs: number
  readonly #listener = (message: unknown) => this.#created(message)

  /** `onLost` is called for every job whose child exited without reporting its end. */
  constructor(onLost: (job: LostJob) => void, exitMs = EXIT_MS) {
    this.#onLost = onLost
    this.#exitMs = exitMs
    subscribe('child_process', this.#listener)
  }

  /** The jobs that children have reported. */
  get jobs(): readonly WorkerJob[] {
    return [...this.#children.values()].flatMap(({ job, endReported }) => (job && !endReported ? [job] : []))
  }

  /**
   * Sends an order to the children of a session, of which an earlier one may still be closing; false if there is none. A child is
   * killed if it does not exit in time.
   */
  order(sessionId: IdText<VoiceSessionId>, order: ParentOrder['order']): boolean {
    const children = [...this.#children.values()].filter(({ job }) => job?.sid === sessionId)
    const message: ParentOrder = { case: 'troupeOrder', order }
    for (const child of children) {
      if (child.process.connected) child.process.send(message)
      this.#mustExit(child)
    }
    return children.length > 0
  }

  #created(message: unknown): void {
    const created = isJsonObject(message) ? message.process : null
    if (!(created instanceof ChildProcess)) return
    // Its program is known once it was spawned.
    created.once('spawn', () => {
      const { pid, spawnargs } = created
      if (pid !== undefined && spawnargs.some((argument) => JOB_PROGRAM.test(argument)))
        this.#watch(created, pid)
    })
  }

  #watch(process: ChildProcess, pid: number): void {
    const child: JobChild = { process, job: null, endReported: false, killTimer: null }
    this.#children.set(pid, child)
    process.on('message', (message) => {
      if (!isChildStatus(message)) return
      child.job = message.job
      child.endReported = message.endReported
      if (message.job.state === 'closing') this.#mustExit(child)
    })
    process.once('exit', () => {
      if (child.killTimer) clearTimeout(child.killTimer)
      this.#children.delete(pid)
      if (child.job && !child.endReported) this.#onLost({ sid: child.job.sid, attempt: child.job.attempt })
    })
  }

  #mustExit(child: JobChild): void {
    child.killTimer ??= setTimeout(() => child.process.kill('SIGKILL'), this.#exitMs).unref()
  }

  [Symbol.dispose](): void {
    unsubscribe('child_process', this.#listener)
    for (const { killTimer } of this.#children.values()) if (killTimer) clearTimeout(killTimer)
  }
}
