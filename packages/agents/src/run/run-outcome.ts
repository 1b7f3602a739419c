import type { ErrorCode } from '@troupe/contract'
import {
  type AbortReason,
  BEGUN_ELSEWHERE,
  RunAborted,
  SliceEnded,
  StepUnreadable,
  TurnParked,
} from '@troupe/durable-work'
import { ChatModelError } from '../ports/chat-models.ts'
import type { EndStatus, RunSource } from '../ports/run-store.ts'
import { ToolsUnavailable } from '../ports/toolbox.ts'
import { RunFailure } from './run-failure.ts'
import type { WorkResult } from './subject.ts'

/** How a run's work ended. */
export type RunOutcome =
  | { kind: 'answered'; work: WorkResult }
  | { kind: 'aborted'; reason: AbortReason }
  /** `code`: the caller's error; default: `upstream_error`. */
  | { kind: 'failed'; message: string; internal: string; defect: boolean; code?: ErrorCode }
  /** Jobs only: this turn is over, but not the run. */
  | { kind: 'slice_ended' }
  /** Jobs only: the run waits for approvals, and no other work is running. */
  | { kind: 'parked' }

/**
 * The outcome of work that threw. Always preserves an abort reason, and never exposes an unexpected error's
 * text.
 */
export function outcomeOf(error: unknown, signal: AbortSignal): RunOutcome {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof RunAborted) return { kind: 'aborted', reason: cause.reason }
  if (error instanceof SliceEnded) return { kind: 'slice_ended' }
  if (error instanceof TurnParked) return { kind: 'parked' }
  if (error instanceof StepUnreadable) {
    return { kind: 'failed', message: BEGUN_ELSEWHERE, internal: error.message, defect: false }
  }
  if (error instanceof RunFailure) {
    const { message, internal, code } = error
    return { kind: 'failed', message, internal, defect: false, code }
  }
  if (error instanceof ChatModelError) {
    const internal = `${error.code}: ${error.internalMessage}`
    return { kind: 'failed', message: error.message, internal, defect: false }
  }
  if (error instanceof ToolsUnavailable) {
    return { kind: 'failed', message: error.message, internal: error.message, defect: false }
  }
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', message: 'The run failed unexpectedly.', internal, defect: true }
}

/** The terminal facts of a run row. */
export interface Verdict {
  status: EndStatus
  success: boolean
  error: { code: ErrorCode; message: string } | null
  stopReason: AbortReason | null
  /** For the log only. */
  internal: string | null
  /** Whether an internal defect ended the run, and not a provider. */
  defect: boolean
}

/** The limit that applies, and the kind of run. */
export interface Limit {
  seconds: number
  source: RunSource
}

type Aborted = Pick<Verdict, 'status' | 'stopReason' | 'error'>

function timedOut({ seconds, source }: Limit): string {
  return source === 'api_async'
    ? `The job ran longer than ${seconds} seconds.`
    : `The run did not finish within ${seconds} seconds and was cancelled.`
}

function abortedVerdict(reason: AbortReason, limit: Limit): Aborted {
  switch (reason) {
    case 'deadline':
      return {
        status: 'timeout',
        stopReason: reason,
        error: { code: 'execution_timeout', message: timedOut(limit) },
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
    case 'lost':
      return {
        status: 'cancelled',
        stopReason: reason,
        error: { code: 'run_cancelled', message: 'The run was cancelled.' },
      }
    default:
      return reason satisfies never
  }
}

/** An outcome that ends the run. */
export type EndOutcome = Exclude<RunOutcome, { kind: 'slice_ended' | 'parked' }>

/** The row status and the caller's error for an outcome. */
export function verdictOf(outcome: EndOutcome, limit: Limit): Verdict {
  const plain = { internal: null, defect: false }
  switch (outcome.kind) {
    case 'answered':
      return { ...plain, status: 'completed', success: outcome.work.success, error: null, stopReason: null }
    case 'aborted':
      return { ...plain, ...abortedVerdict(outcome.reason, limit), success: false }
    case 'failed':
      return {
        status: 'failed',
        success: false,
        error: { code: outcome.code ?? 'upstream_error', message: outcome.message },
        stopReason: null,
        internal: outcome.internal,
        defect: outcome.defect,
      }
    default:
      return outcome satisfies never
  }
}
