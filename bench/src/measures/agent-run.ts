import { closedLoop, type LoadRequest, type LoadResult } from '../load/closed-loop.ts'
import { median, spread } from '../load/statistics.ts'
import type { Setting } from '../targets/setting.ts'

const BODY = JSON.stringify({ message: 'Say hello to the benchmark.' })
const ROUNDS = 5
const ROUND_MS = 2_000
const CONCURRENCIES = [1, 16, 64]

/** Medians of one target at one concurrency; times in milliseconds. */
export interface RunRow {
  target: string
  concurrency: number
  requestsPerSecond: number
  /** Lowest and highest round. */
  range: [number, number]
  p50: number
  p99: number
  /** Median over the rounds of (this target / recorded floor) of the same round. */
  ofRecorded: number
}

/**
 * `/run` against the bare routes, alternating round by round so that drift of the machine affects all alike.
 */
export async function measureAgentRun({ troupe, bareOrigin }: Setting): Promise<RunRow[]> {
  const json = { 'content-type': 'application/json' }
  const targets: Record<string, LoadRequest> = {
    'bare AI SDK (a)': { origin: bareOrigin, path: '/plain', headers: json, body: BODY },
    'bare + insert + update (b)': { origin: bareOrigin, path: '/recorded', headers: json, body: BODY },
    'Troupe /run': { origin: troupe.origin, path: troupe.runPath, headers: troupe.headers, body: BODY },
  }
  const rows: RunRow[] = []
  for (const concurrency of CONCURRENCIES) {
    const rounds = new Map<string, LoadResult[]>(Object.keys(targets).map((name) => [name, []]))
    for (const [name, request] of Object.entries(targets)) {
      await closedLoop(request, concurrency, ROUND_MS / 2)
      rounds.set(name, [])
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, request] of Object.entries(targets)) {
        rounds.get(name)?.push(await closedLoop(request, concurrency, ROUND_MS))
      }
    }
    const floor = rounds.get('bare + insert + update (b)') ?? []
    for (const [target, results] of rounds) {
      const rates = results.map((result) => result.requestsPerSecond)
      rows.push({
        target,
        concurrency,
        requestsPerSecond: median(rates),
        range: spread(rates),
        p50: median(results.map((result) => result.p50)),
        p99: median(results.map((result) => result.p99)),
        ofRecorded: median(rates.map((rate, round) => rate / (floor[round]?.requestsPerSecond ?? rate))),
      })
    }
  }
  return rows
}
