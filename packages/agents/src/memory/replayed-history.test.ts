import { expect, test } from 'vitest'
import type { HistoryLimits, HistoryRun, HistoryStep } from '../ports/session-state.ts'
import { historyBytes, replayedHistory } from './replayed-history.ts'

const LIMITS: HistoryLimits = {
  maxBytes: 100_000,
  maxRuns: 100,
  toolRuns: 2,
  toolBytes: 25_000,
  stateBytes: 100_000,
}

function step(results: readonly string[], id = 0): HistoryStep {
  return {
    text: '',
    calls: results.map((result, at) => ({ id: `call_${id}_${at}`, name: 'look', arguments: {}, result })),
  }
}

function run(seq: number, steps: HistoryStep[] = [], size = 10): HistoryRun {
  return { seq, status: 'completed', input: 'x'.repeat(size), content: '', answeredBy: null, steps }
}

const resultsOf = (history: readonly HistoryRun[]) =>
  history.map(({ steps }) => steps?.map(({ calls }) => calls.map(({ result }) => result)))

test('the newest runs keep their tool calls, older ones only their texts', () => {
  const history = [1, 2, 3].map((seq) => run(seq, [step([`seen ${seq}`])]))
  expect(resultsOf(replayedHistory(history, LIMITS))).toEqual([[], [['seen 2']], [['seen 3']]])
  expect(resultsOf(replayedHistory(history, { ...LIMITS, toolRuns: 0 }))).toEqual([[], [], []])
})

test('a run without tool calls counts as one of the newest', () => {
  const history = [run(1, [step(['old'])]), run(2), run(3)]
  expect(resultsOf(replayedHistory(history, LIMITS))).toEqual([[], [], []])
})

test('a long result is cut with a note, head and tail kept', () => {
  const [only] = replayedHistory([run(1, [step([`A${'é'.repeat(20_000)}Z`])])], LIMITS)
  const result = only?.steps?.[0]?.calls[0]?.result ?? ''
  expect(Buffer.byteLength(result)).toBeLessThanOrEqual(4_096)
  expect(result).toMatch(/^Aé+\n… \[\d+ bytes left out\] …\né+Z$/)
})

test('the newest steps come first, an oversized step is cut further, and older ones are omitted', () => {
  const long = 'x'.repeat(4_000)
  const history = [
    run(1, [step(['first'])]),
    run(2, [step([long], 0), step([long, long], 1), step([long], 2)]),
  ]
  const kept = replayedHistory(history, { ...LIMITS, toolBytes: 6_000, stateBytes: 100_000 })
  const lengths = resultsOf(kept).map((steps) => steps?.map((all) => all.map(({ length }) => length)))
  expect(lengths[0]).toEqual([])
  expect(lengths[1]).toHaveLength(2)
  expect(lengths[1]?.[1]).toEqual([4_000])
  expect(lengths[1]?.[0]?.every((length) => length > 900 && length < 1_000)).toBe(true)
})

test('a call whose arguments do not fit is omitted with its result', () => {
  const huge = {
    text: '',
    calls: [{ id: 'c', name: 'write', arguments: { text: 'x'.repeat(30_000) }, result: 'ok' }],
  }
  expect(resultsOf(replayedHistory([run(1, [huge])], LIMITS))).toEqual([[]])
})

test('tool calls displace the oldest texts, within the whole budget', () => {
  const history = [...[1, 2, 3].map((seq) => run(seq, [], 300)), run(4, [step(['y'.repeat(500)])], 300)]
  const limits = { ...LIMITS, maxBytes: 1_500, toolBytes: 1_000, stateBytes: 100_000 }
  const kept = replayedHistory(history, limits)
  expect(kept.map(({ seq }) => seq)).toEqual([2, 3, 4])
  expect(kept.reduce((sum, one) => sum + historyBytes(one), 0)).toBeLessThanOrEqual(limits.maxBytes)
  // The texts of the newest runs are never displaced by their tool calls.
  expect(replayedHistory(history, { ...limits, maxBytes: 320 })).toEqual([run(4, [], 300)])
})

test('any history stays within the budget, with every call answered, and a second cut changes nothing', () => {
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  for (let round = 0; round < 200; round += 1) {
    const limits = {
      maxBytes: random(20_000),
      maxRuns: 100,
      toolRuns: random(6),
      toolBytes: random(5_000),
      stateBytes: 0,
    }
    const history: HistoryRun[] = []
    let left = limits.maxBytes
    for (let seq = 1; seq < random(12); seq += 1) {
      const size = random(2_000)
      left -= size
      if (left < 0) break
      const steps = Array.from({ length: random(4) }, (_, id) =>
        step(
          Array.from({ length: 1 + random(3) }, () => '😀'.repeat(random(3_000))),
          id,
        ),
      )
      history.push(run(seq, steps, size))
    }
    const kept = replayedHistory(history, limits)
    expect(kept.reduce((sum, one) => sum + historyBytes(one), 0)).toBeLessThanOrEqual(limits.maxBytes)
    expect(kept).toEqual(replayedHistory(kept, limits))
    const newest = history.slice(-1).map(({ seq }) => seq)
    expect(kept.slice(-1).map(({ seq }) => seq)).toEqual(newest)
  }
})

test('states fit whole or not at all, newest first, in the room left by texts and tool calls', () => {
  const state = (size: number) => ({
    origin: 'o',
    parts: [{ type: 'reasoning' as const, text: 'x'.repeat(size) }],
  })
  const thoughtful = (seq: number): HistoryRun => ({
    ...run(seq, [{ ...step(['seen']), state: state(400) }]),
    state: state(400),
  })
  const history = [thoughtful(1), thoughtful(2)]
  const kept = (limits: Partial<HistoryLimits>) =>
    replayedHistory(history, { ...LIMITS, ...limits }).map((one) => [
      one.steps?.map((at) => at.state?.parts.length ?? 0),
      one.state?.parts.length ?? 0,
    ])
  expect(kept({})).toEqual([
    [[1], 1],
    [[1], 1],
  ])
  // Within a run, the answer is newer than the steps.
  expect(kept({ stateBytes: 1_500 })).toEqual([
    [[0], 1],
    [[1], 1],
  ])
  expect(kept({ stateBytes: 500 })).toEqual([
    [[0], 0],
    [[0], 1],
  ])
  expect(kept({ maxBytes: 400 })).toEqual([
    [[0], 0],
    [[0], 0],
  ])
})
