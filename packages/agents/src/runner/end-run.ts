import { type AgentRunResult, DomainError, type TeamRunResult } from '@troupe/contract'
import { summariseSession } from '../memory/summarise-session.ts'
import type { FinishOutcome } from '../ports/run-store.ts'
import type { RunDependencies, RunTurns } from '../run/dependencies.ts'
import { type EndOutcome, type Verdict, verdictOf } from '../run/run-outcome.ts'
import type { LiveRun } from './live-run.ts'
import { type Ending, resultOf, runEnd } from './run-end.ts'

/** The outcome of an executed run, as its caller gets it. */
export type Executed = { result: AgentRunResult | TeamRunResult } | { error: DomainError }

/** Delays before a failed database write is retried, in milliseconds. */
const WRITE_RETRIES = [100, 500, 2_000]

/**
 * Retries a write after database failures: a finished answer must survive a database restart. The write is
 * idempotent.
 */
export async function persistently<T>(
  { telemetry }: Pick<RunTurns, 'telemetry'>,
  task: string,
  write: () => Promise<T>,
): Promise<T> {
  for (const pause of WRITE_RETRIES) {
    try {
      return await write()
    } catch (error) {
      telemetry.backgroundFailed(task, error)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return write()
}

/**
 * Without this notification, readers on other processes see the end only with their next poll. No caller
 * awaits it.
 */
function announceEnd({ signals, telemetry }: RunTurns, run: LiveRun): void {
  if (!run.context.output.events) return
  signals
    .publish({ kind: 'run_events', runId: run.prepared.runId })
    .catch((error) => telemetry.backgroundFailed('announce end', error))
}

/** The row had already ended: by a cancel, or by a sweep that considered this process dead. That verdict is kept. */
function overruled(run: LiveRun, finished: Extract<FinishOutcome, { finished: false }>): Verdict {
  if (finished.status === 'cancelled') return verdictOf({ kind: 'aborted', reason: 'cancel' }, run.limit)
  const message = 'The run was lost and has been ended.'
  const internal = `row is ${finished.status}`
  return verdictOf({ kind: 'failed', message, internal, defect: false }, run.limit)
}

function report({ telemetry }: RunTurns, run: LiveRun, { verdict, completedAt }: Ending): void {
  const { status, error, internal, defect } = verdict
  const { inputTokens, outputTokens } = run.context.spending.ledger
  const errorCode = error?.code ?? null
  telemetry.runEnded(run.observed(), {
    status,
    errorCode,
    internal,
    defect,
    completedAt,
    inputTokens,
    outputTokens,
  })
}

function executed(run: LiveRun, ending: Ending): Executed {
  const { error } = ending.verdict
  return error ? { error: new DomainError(error.code, error.message) } : { result: resultOf(run, ending) }
}

/**
 * Ends a run by its outcome: the compare-and-set together with its dependent rows, then the terminal event
 * and the report. Never rejects. A job that another worker has taken over is left unchanged.
 */
export async function endRun(deps: RunDependencies, run: LiveRun, outcome: EndOutcome): Promise<Executed> {
  const work = outcome.kind === 'answered' ? outcome.work : null
  let ending: Ending = { verdict: verdictOf(outcome, run.limit), work, completedAt: deps.now() }
  try {
    let end = await runEnd(run, ending)
    const finished = await persistently(deps, 'finish', () => deps.store.finish(end.row))
    if (!finished.finished && (finished.status === 'running' || finished.status === 'queued')) {
      deps.telemetry.turnEnded(run.observed())
      return executed(run, { ...ending, verdict: overruled(run, finished) })
    }
    // A `cancelled` row was cancelled from elsewhere, even if the work here stopped for another reason: its texts must
    // still be written.
    if (
      !finished.finished &&
      (finished.status === 'cancelled' || finished.status !== ending.verdict.status)
    ) {
      ending = { ...ending, verdict: overruled(run, finished), work: null }
      end = await runEnd(run, ending)
      if (ending.verdict.stopReason === 'cancel') {
        await persistently(deps, 'settle', () => deps.store.settleCancelled(end.row))
      }
    }
    end.show()
    announceEnd(deps, run)
    report(deps, run, ending)
    if (ending.verdict.status === 'completed') summariseSession(deps, run.prepared)
    if (end.row.learns || run.context.output.members.all.some(({ learns }) => learns)) deps.learner.hurry()
    return executed(run, ending)
  } catch (error) {
    return unwritable(deps, run, error)
  }
}

/**
 * The database refused the end permanently. The data that may have caused it is omitted and the bare end is
 * tried once; if that fails too, the lease expires and a sweep ends the row. The caller gets the error in
 * both cases.
 */
async function unwritable(deps: RunDependencies, run: LiveRun, error: unknown): Promise<Executed> {
  deps.telemetry.backgroundFailed('finish', error)
  const verdict = verdictOf(
    { kind: 'failed', message: 'The answer could not be stored.', internal: String(error), defect: false },
    run.limit,
  )
  const ending: Ending = { verdict, work: null, completedAt: deps.now() }
  const { row, show } = await runEnd(run, ending)
  const bare = {
    ...row,
    content: null,
    messages: [],
    members: [],
    usage: [],
    prompts: null,
    inputTokens: 0,
    outputTokens: 0,
  }
  await deps.store
    .finish({ ...bare, events: row.events.slice(-1) })
    .catch((again) => deps.telemetry.backgroundFailed('bare finish', again))
  show()
  announceEnd(deps, run)
  report(deps, run, ending)
  return executed(run, ending)
}
