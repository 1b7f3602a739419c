import { ApprovalId, type RunId } from '@troupe/contract'
import { onSignal, untilFound } from '@troupe/durable-work'
import type { ApprovalVerdict } from '../ports/approvals.ts'
import type { RunProviders, RunRows, RunTurns } from '../run/dependencies.ts'
import type { CallToApprove, RunApprovals, RunContext } from '../run/run-context.ts'
import { newApproval, showRequired, showResolved } from './new-approval.ts'

/** The longest wait of a stream, in seconds. */
const LONGEST_WAIT = 900
const POLL_MS = 1_000

type Parts = Pick<RunRows, 'approvals'> & Pick<RunProviders, 'approvalLinks'> & RunTurns

/** Denies every call: a caller waits for these runs, so a person cannot be asked. */
export const NOBODY_TO_ASK: RunApprovals = {
  decide: async () => ({
    status: 'denied',
    reason: 'needs human approval; use run-async or run-stream',
  }),
}

/** Denies every call of a workflow whose caller waits for its end, and records the tools for the step's note. */
export class WaitingCaller implements RunApprovals {
  readonly #tools = new Set<string>()

  /** Names of the tools whose calls could not get an approval. */
  get tools(): readonly string[] {
    return [...this.#tools]
  }

  async decide(call: CallToApprove): Promise<ApprovalVerdict> {
    this.#tools.add(call.toolName)
    return NOBODY_TO_ASK.decide(call)
  }
}

/** Denies every call of a spoken conversation: the caller would wait in silence, and must not decide. */
export const NOBODY_ON_THE_LINE: RunApprovals = {
  decide: async () => ({
    status: 'denied',
    reason: 'needs human approval, which cannot be requested in a voice conversation; tell the caller',
  }),
}

/** Requests approvals of a streaming run's calls, which wait in this process; its working time is paused in the meantime. */
export class LiveApprovals implements RunApprovals {
  readonly #parts: Parts
  readonly #context: () => RunContext
  readonly #stored: Promise<unknown>

  /** `stored` resolves when the row of the run is committed. */
  constructor(parts: Parts, context: () => RunContext, stored: Promise<unknown>) {
    this.#parts = parts
    this.#context = context
    this.#stored = stored
  }

  async decide(call: CallToApprove): Promise<ApprovalVerdict> {
    const context = this.#context()
    const { identity, output, clock } = context
    const { runId, organizationId } = identity
    call.signal.throwIfAborted()
    // A run whose row is never written is aborted.
    const unstored = Promise.withResolvers<void>()
    const onAbort = () => unstored.resolve()
    call.signal.addEventListener('abort', onAbort)
    await Promise.race([this.#stored, unstored.promise])
    call.signal.removeEventListener('abort', onAbort)
    call.signal.throwIfAborted()
    const { approvals, approvalLinks: links, newId } = this.#parts
    const waitSeconds = Math.min(call.timeoutSeconds, LONGEST_WAIT)
    const approval = newApproval(call, newId(ApprovalId), { now: context.now(), waitSeconds, links })
    await approvals.open({ runId, organizationId }, approval)
    showRequired(output, call, approval)
    using _ = clock.stop()
    const verdict = await this.#wait(runId, approval.approvalId, call.signal)
    showResolved(output, call, approval.approvalId, verdict)
    return verdict
  }

  /** A lost signal, or an unreachable database, costs one poll. */
  async #wait(runId: RunId, approvalId: ApprovalId, abort: AbortSignal): Promise<ApprovalVerdict> {
    const { approvals, signals, telemetry } = this.#parts
    const resolved = onSignal(signals, (told) => told.kind === 'approval_resolved' && told.runId === runId)
    const verdict = await untilFound({ wakenBy: [resolved], pollMs: POLL_MS, abort }, async () => {
      try {
        return await approvals.verdict(approvalId)
      } catch (error) {
        telemetry.backgroundFailed('wait for an approval', error)
        return null
      }
    })
    if (verdict === null) throw new Error('a wait without a limit has ended')
    return verdict
  }
}
