import type { IdText, RunId } from '@troupe/contract'
import { traceWords as words } from '../messages/en/operate/trace.ts'
import type { TraceStep } from './trace-step.ts'

/** Purposes of the lead's calls before the first round and after the last one. */
const OUTSIDE: ReadonlySet<string> = new Set(['plan', 'report', 'synthesis'])

/**
 * The steps of a plan with a row for each round, containing its members and the lead's review. Steps before the first round and
 * after the last one keep their place.
 *
 * @param depth that of the lead's own steps
 */
export function withPlanRounds(
  steps: readonly TraceStep[],
  runId: IdText<RunId>,
  depth: number,
): TraceStep[] {
  const all: TraceStep[] = []
  let round: TraceStep[] | null = null
  let count = 0
  // Whether the current round was judged.
  let isJudged = false
  const end = () => {
    if (round === null) return
    count += 1
    all.push(roundStep(round, { id: `${runId}/round-${count}`, depth, round: count }))
    all.push(...round.map((step) => ({ ...step, depth: step.depth + 1 })))
    round = null
    isJudged = false
  }
  for (const step of steps) {
    const isOwn = step.depth === depth
    // The lead may take a task itself.
    const isTask = isOwn && (step.kind === 'member' || step.call?.purpose === 'chat')
    if ((isTask && isJudged) || (isOwn && OUTSIDE.has(step.call?.purpose ?? ''))) end()
    if (isTask) round ??= []
    if (round === null) all.push(step)
    else {
      round.push(step)
      isJudged ||= step.call?.purpose === 'review'
    }
  }
  end()
  return all
}

function roundStep(
  steps: readonly TraceStep[],
  { id, depth, round }: { id: string; depth: number; round: number },
): TraceStep {
  const tasks = steps.filter(
    (step) => step.depth === depth && (step.kind === 'member' || step.call?.purpose === 'chat'),
  )
  const starts = steps.flatMap(({ startMs }) => startMs ?? [])
  const isRunning = steps.some(({ state }) => state === 'running' || state === 'queued')
  const startMs = starts.length === 0 ? null : Math.min(...starts)
  const lastMs = steps.reduce((most, step) => Math.max(most, (step.startMs ?? 0) + (step.durationMs ?? 0)), 0)
  return {
    ...{ id, depth, kind: 'round', title: words.round(round), detail: words.tasks(tasks.length) },
    state: isRunning ? 'running' : 'completed',
    why: round === 1 ? words.why.firstRound : words.why.nextRound,
    ...{ startMs, durationMs: isRunning || startMs === null ? null : lastMs - startMs, isEstimated: true },
    ...{ error: null, call: null, tool: null, member: null },
  }
}
