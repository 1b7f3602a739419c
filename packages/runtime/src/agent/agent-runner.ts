import { type AgentRunResult, DomainError } from '@troupe/contract'
import type { RunRecord } from '../ports/run-store.ts'
import type { EventListener } from '../stream/run-events.ts'
import type { AgentRunDependencies } from './dependencies.ts'
import { type AcceptedRun, AgentExecution, AlreadyStarted } from './execute-run.ts'
import { prepareRun } from './prepare-run.ts'
import type { AgentRunRequest } from './run-request.ts'
import { resultOfRecord } from './run-result.ts'

const WAIT_POLL_MS = 250

/** A streaming run that was accepted now, or that an earlier request with the same idempotency key started. */
export type StreamStart =
  | { kind: 'accepted'; runId: string; run: AcceptedRun }
  | { kind: 'attached'; runId: string }

/** Runs agents: the door of this package. Every method throws only DomainError for expected failures. */
export class AgentRunner {
  readonly #deps: AgentRunDependencies

  constructor(deps: AgentRunDependencies) {
    this.#deps = deps
  }

  /**
   * Runs an agent and waits for its answer, at most the synchronous limit.
   *
   * @throws DomainError as {@link prepareRun}; `execution_timeout`, `upstream_error`, `run_cancelled`,
   * `idempotency_conflict`.
   */
  async run(request: AgentRunRequest): Promise<AgentRunResult> {
    const prepared = await prepareRun(this.#deps, request)
    try {
      const accepted = await new AgentExecution(this.#deps, prepared, null).start()
      const executed = await accepted.executed
      if ('error' in executed) throw executed.error
      return executed.result
    } catch (error) {
      if (!(error instanceof AlreadyStarted)) throw error
      this.#requireSameBody(request, error)
      return this.#resultOfFirst(request, error, prepared.agent.name)
    }
  }

  /**
   * Starts a streaming run. The listener gets `RunStarted` before this resolves, and every later event in the tick in
   * which it arises.
   *
   * @throws DomainError as {@link prepareRun}, `idempotency_conflict`.
   */
  async stream(request: AgentRunRequest, listener: EventListener): Promise<StreamStart> {
    const prepared = await prepareRun(this.#deps, request)
    try {
      const run = await new AgentExecution(this.#deps, prepared, listener).start()
      return { kind: 'accepted', runId: prepared.runId, run }
    } catch (error) {
      if (!(error instanceof AlreadyStarted)) throw error
      this.#requireSameBody(request, error)
      return { kind: 'attached', runId: error.first.runId }
    }
  }

  #requireSameBody(request: AgentRunRequest, { first }: AlreadyStarted): void {
    if (first.bodyHash === request.idempotency?.bodyHash) return
    throw new DomainError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another body in the last 24 hours.',
    )
  }

  /** Waits for the run that the first request started, on whichever process it is, and gives that run's answer. */
  async #resultOfFirst(
    request: AgentRunRequest,
    { first }: AlreadyStarted,
    agentName: string,
  ): Promise<AgentRunResult> {
    const { store, now, syncSeconds } = this.#deps
    const giveUpAt = request.acceptedAt + syncSeconds * 1000
    for (;;) {
      const record = await store.find(request.scope, request.agentId, first.runId)
      if (!record) throw new DomainError('upstream_error', 'The run of this Idempotency-Key is gone.')
      if (record.status === 'completed') return resultOfRecord(record, agentName, request.includeMessages)
      if (record.status !== 'running') throw failureOf(record)
      if (now() >= giveUpAt) {
        throw new DomainError('execution_timeout', `The run did not finish within ${syncSeconds} seconds.`)
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_POLL_MS))
    }
  }
}

function failureOf(record: RunRecord): DomainError {
  if (record.status === 'cancelled') return new DomainError('run_cancelled', 'The run was cancelled.')
  const code = record.status === 'timeout' ? 'execution_timeout' : 'upstream_error'
  return new DomainError(code, record.errorMessage ?? 'The run failed.')
}
