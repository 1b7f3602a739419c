import type { ErrorCode } from '@troupe/contract'
import { ChatModelError } from '../ports/chat-models.ts'
import type { AbortReason, RunStatus } from '../ports/run-store.ts'
import { RunAborted } from '../run/active-runs.ts'
import type { FinishReason } from '../run/call-model.ts'

/** How the work of a run came to its end. */
export type RunOutcome =
  | { kind: 'answered'; finishReason: FinishReason }
  | { kind: 'aborted'; reason: AbortReason }
  | { kind: 'failed'; message: string; internal: string; defect: boolean }

/** The outcome of work that threw. Never loses an abort reason, and never shows an unexpected error's text. */
export function outcomeOf(error: unknown, signal: AbortSignal): RunOutcome {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof RunAborted) return { kind: 'aborted', reason: cause.reason }
  if (error instanceof ChatModelError) {
    const internal = `${error.code}: ${error.internalMessage}`
    return { kind: 'failed', message: error.message, internal, defect: false }
  }
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', message: 'The run failed unexpectedly.', internal, defect: true }
}

/** The terminal facts of a run row. */
export interface Verdict {
  status: Exclude<RunStatus, 'running'>
  success: boolean
  error: { code: ErrorCode; message: string } | null
  stopReason: AbortReason | null
  /** For the log only. */
  internal: string | null
  /** Whether a defect of ours ended the run, not a provider. */
  defect: boolean
}

function abortedVerdict(
  reason: AbortReason,
  limitSeconds: number,
): Omit<Verdict, 'success' | 'internal' | 'defect'> {
  switch (reason) {
    case 'deadline':
      return {
        status: 'timeout',
        stopReason: reason,
        error: {
          code: 'execution_timeout',
          message: `The run did not finish within ${limitSeconds} seconds and was cancelled.`,
        },
      }
    case 'shutdown':
      return {
        status: 'cancelled',
        stopReason: reason,
        error: { code: 'upstream_error', message: 'The server stopped before the run had finished.' },
      }
    case 'cancel':
    case 'disconnect':
    case 'budget':
      return {
        status: 'cancelled',
        stopReason: reason,
        error: { code: 'run_cancelled', message: 'The run was cancelled.' },
      }
    default:
      return reason satisfies never
  }
}

/** What an outcome means for the row and for the caller. `limitSeconds` is the limit that was in force. */
export function verdictOf(outcome: RunOutcome, limitSeconds: number): Verdict {
  switch (outcome.kind) {
    case 'answered':
      return {
        status: 'completed',
        success: outcome.finishReason !== 'content-filter',
        error: null,
        stopReason: null,
        internal: null,
        defect: false,
      }
    case 'aborted':
      return {
        ...abortedVerdict(outcome.reason, limitSeconds),
        success: false,
        internal: null,
        defect: false,
      }
    case 'failed':
      return {
        status: 'failed',
        success: false,
        error: { code: 'upstream_error', message: outcome.message },
        stopReason: null,
        internal: outcome.internal,
        defect: outcome.defect,
      }
    default:
      return outcome satisfies never
  }
}
