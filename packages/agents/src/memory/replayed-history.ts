import {
  type HistoryLimits,
  type HistoryRun,
  type HistoryStep,
  REPLAYED_RESULT_BYTES,
} from '../ports/session-state.ts'
import type { StepState } from '../ports/step-state.ts'
import { shorten } from '../tools/shorten.ts'

/** A shorter excerpt of a result would be useless, so the step is omitted. */
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

/** The step with its results cut to the room; null if its calls alone do not fit. */
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

/** The newest steps that fit, whole or with cut results; `left` are the bytes for all of them. */
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

/** The newest states that fit, each whole; once one does not fit, neither do older ones. */
function withFittingStates(
  history: readonly HistoryRun[],
  limits: HistoryLimits,
  room: number,
): HistoryRun[] {
  let left = Math.min(limits.stateBytes, room)
  const fitting = <T extends { state?: StepState | null }>(stated: T): T => {
    if (!stated.state) return stated
    left -= Buffer.byteLength(JSON.stringify(stated.state))
    return left < 0 ? { ...stated, state: null } : stated
  }
  const newestFirst = history.toReversed().map((run): HistoryRun => {
    const { steps, ...rest } = fitting(run)
    return { ...rest, ...(steps && { steps: steps.toReversed().map(fitting).reverse() }) }
  })
  return newestFirst.reverse()
}

/**
 * The history that a prompt replays: tool calls within their share, as many of the newest runs as fit beside them, and
 * the states of their steps in the remaining room.
 */
export function replayedHistory(history: readonly HistoryRun[], limits: HistoryLimits): HistoryRun[] {
  const replayed = withFittingSteps(history, limits)
  let left = limits.maxBytes
  let room = left
  const firstOut = replayed.findLastIndex((run) => {
    left -= historyBytes(run)
    if (left >= 0) room = left
    return left < 0
  })
  return withFittingStates(replayed.slice(firstOut + 1), limits, room)
}
