import {
  type HistoryLimits,
  type HistoryRun,
  type HistoryStep,
  REPLAYED_RESULT_BYTES,
} from '../ports/session-state.ts'
import { shorten } from '../tools/shorten.ts'

/** Less than this says nothing about a result: the step is left out. */
const LEAST_RESULT_BYTES = 128

const textBytes = ({ input, content }: HistoryRun) =>
  Buffer.byteLength(input) + Buffer.byteLength(content ?? '')

function callBytes({ text, calls }: HistoryStep): number {
  return calls.reduce(
    (sum, call) =>
      sum + Buffer.byteLength(call.name) + Buffer.byteLength(JSON.stringify(call.arguments ?? null)),
    Buffer.byteLength(text),
  )
}

const resultBytes = ({ calls }: HistoryStep) =>
  calls.reduce((sum, { result }) => sum + Buffer.byteLength(result), 0)

/** The step with its results cut to the room; null when its calls alone do not fit. */
function fitting(step: HistoryStep, room: number): HistoryStep | null {
  const left = room - callBytes(step)
  const cut = (bytes: number): HistoryStep => ({
    ...step,
    calls: step.calls.map((call) => ({ ...call, result: shorten(call.result, bytes) })),
  })
  const whole = cut(REPLAYED_RESULT_BYTES)
  if (resultBytes(whole) <= left) return whole
  const share = Math.floor(left / step.calls.length)
  return share < LEAST_RESULT_BYTES ? null : cut(share)
}

/** The newest steps that fit, as often as a step fits whole or with cut results; `left` are the bytes for all of them. */
function fittingSteps(history: readonly HistoryRun[], left: number): Map<HistoryRun, HistoryStep[]> {
  const kept = new Map<HistoryRun, HistoryStep[]>()
  for (const run of history.toReversed()) {
    const steps: HistoryStep[] = []
    kept.set(run, steps)
    for (const step of (run.steps ?? []).toReversed()) {
      const fits = fitting(step, left)
      if (!fits) return kept
      left -= callBytes(fits) + resultBytes(fits)
      steps.unshift(fits)
    }
  }
  return kept
}

/**
 * The history with the tool calls of its newest runs cut to their share: newest steps first, long results shortened with
 * a note. A call is never without its result.
 */
export function withFittingSteps(history: readonly HistoryRun[], limits: HistoryLimits): HistoryRun[] {
  const newest =
    limits.toolRuns === 0 ? [] : history.slice(-limits.toolRuns).filter(({ steps }) => steps?.length)
  const texts = newest.reduce((sum, run) => sum + textBytes(run), 0)
  const fitting = fittingSteps(newest, Math.min(limits.toolBytes, limits.maxBytes - texts))
  return history.map((run) => ({ ...run, steps: fitting.get(run) ?? [] }))
}

/** The bytes of a run in a prompt. */
export function historyBytes(run: HistoryRun): number {
  return (run.steps ?? []).reduce((sum, step) => sum + callBytes(step) + resultBytes(step), textBytes(run))
}

/** The history that a prompt replays: tool calls within their share, and as many of the newest runs as fit beside them. */
export function replayedHistory(history: readonly HistoryRun[], limits: HistoryLimits): HistoryRun[] {
  const replayed = withFittingSteps(history, limits)
  let left = limits.maxBytes
  const firstOut = replayed.findLastIndex((run) => {
    left -= historyBytes(run)
    return left < 0
  })
  return replayed.slice(firstOut + 1)
}
