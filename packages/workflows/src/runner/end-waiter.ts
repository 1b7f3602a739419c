import type { Scope } from '@troupe/agents/ports'
import type { WorkflowRunId } from '@troupe/contract'
import { onSignal, type Signal, untilFound, type WakeSource } from '@troupe/durable-work'
import type { NodeRuntime, WorkflowRows, WorkflowTurns } from '../execution/dependencies.ts'
import { ENDED_STATUSES, type WorkflowRunRecord } from '../ports/workflow-store.ts'

const POLL_MS = 500
const ENDED: ReadonlySet<string> = new Set(ENDED_STATUSES)

type EndParts = Pick<WorkflowRows, 'store'> & Pick<WorkflowTurns, 'signals'> & Pick<NodeRuntime, 'now'>

/**
 * Waits for runs to end: on ends in this process, on notifications from others, and with a poll as the
 * fallback, so that a lost notification costs half a second.
 */
export class EndWaiter {
  readonly #waiting = new Map<WorkflowRunId, Set<() => void>>()
  readonly #deps: EndParts

  constructor(deps: EndParts) {
    this.#deps = deps
  }

  /** A run has ended in this process, which gets no notification of its own ends. */
  tell(runId: WorkflowRunId): void {
    for (const wake of this.#waiting.get(runId) ?? []) wake()
  }

  /** The result of `work`, or null when it fails or takes too long. */
  async within<T>(work: Promise<T>, giveUpAt: number): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<null>((resolve) => {
      const look = () => {
        const left = giveUpAt - this.#deps.now()
        if (left <= 0) resolve(null)
        else timer = setTimeout(look, Math.min(POLL_MS, left))
      }
      look()
    })
    return Promise.race([work.catch(() => null), patience]).finally(() => clearTimeout(timer))
  }

  /**
   * The run once it has ended; null if it has not ended by `giveUpAt` (milliseconds since the epoch).
   *
   * @throws the signal's reason
   */
  async end(
    scope: Scope,
    runId: WorkflowRunId,
    giveUpAt: number,
    signal?: AbortSignal,
  ): Promise<WorkflowRunRecord | null> {
    const { store, signals, now } = this.#deps
    const isEnd = (told: Signal) =>
      (told.kind === 'workflow_run_ended' || told.kind === 'workflow_run_cancelled') && told.runId === runId
    const wakenBy = [onSignal(signals, isEnd), this.#onEndHere(runId)]
    return untilFound({ wakenBy, pollMs: POLL_MS, giveUpAt, now, abort: signal }, async () => {
      const record = await store.find(scope, runId)
      return record && ENDED.has(record.status) ? record : null
    })
  }

  #onEndHere(runId: WorkflowRunId): WakeSource {
    return (wake) => {
      const here = this.#waiting.get(runId) ?? new Set()
      this.#waiting.set(runId, here.add(wake))
      return () => {
        here.delete(wake)
        if (here.size === 0) this.#waiting.delete(runId)
      }
    }
  }
}
