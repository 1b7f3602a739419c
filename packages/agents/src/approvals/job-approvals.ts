import { ApprovalId, checkedId } from '@troupe/contract'
import { journalStep, TurnParked } from '@troupe/durable-work'
import { Type } from 'typebox'
import type { ApprovalVerdict, NewApproval } from '../ports/approvals.ts'
import type { RunProviders, RunRows } from '../run/dependencies.ts'
import type { CallToApprove, RunApprovals, RunContext } from '../run/run-context.ts'
import { derivedId } from '../team/members/derived-id.ts'
import { newApproval, showRequired, showResolved } from './new-approval.ts'

type Parts = Pick<RunRows, 'approvals'> & Pick<RunProviders, 'approvalLinks'>

/** An approval that was opened. */
const APPROVAL = journalStep(
  'approval',
  1,
  Type.Object({ approvalId: Type.String(), argsHash: Type.String() }),
)

/**
 * Requests approvals of a job's calls. The row is written in the commit of its own step of the journal, so a killed job
 * asks only once. Then the job parks, and the turn after the decision finds the verdict.
 */
export class JobApprovals implements RunApprovals {
  readonly #deps: Parts
  readonly #context: () => Pick<RunContext, 'identity' | 'output' | 'journal' | 'now'>
  readonly #unwritten = new Map<string, NewApproval>()

  constructor(deps: Parts, context: () => RunContext) {
    this.#deps = deps
    this.#context = context
  }

  /** The approval that the step has opened, to be written with it; null if none. */
  openedIn(stepKey: string): NewApproval | null {
    return this.#unwritten.get(stepKey) ?? null
  }

  async decide(call: CallToApprove): Promise<ApprovalVerdict> {
    const context = this.#context()
    const wasOpened = context.journal.has(call.stepKey)
    const opened = await context.journal.once(APPROVAL, call.stepKey, async () => this.#open(call))
    const approvalId = checkedId(ApprovalId, opened.approvalId)
    const verdict = wasOpened ? await this.#deps.approvals.verdict(approvalId) : null
    if (verdict === null) throw new TurnParked('a call waits for its approval')
    showResolved(context.output, call, approvalId, verdict)
    if (opened.argsHash === call.argsHash) return verdict
    return { status: 'denied', reason: 'the call differs from the approved one.' }
  }

  #open(call: CallToApprove) {
    const context = this.#context()
    // The id stays the same if the step is lost and opens the approval again, because readers may have seen its event.
    const approvalId = derivedId(ApprovalId, context.identity.runId, call.stepKey)
    const approval = newApproval(call, approvalId, {
      now: context.now(),
      waitSeconds: call.timeoutSeconds,
      links: this.#deps.approvalLinks,
    })
    this.#unwritten.set(call.stepKey, approval)
    showRequired(context.output, call, approval)
    return { approvalId, argsHash: call.argsHash }
  }
}
