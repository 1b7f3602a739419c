import { Pool } from 'undici'
import { timeToMarker } from '../load/closed-loop.ts'
import { quantile } from '../load/statistics.ts'
import type { Setting } from '../targets/setting.ts'

const REQUESTS = 300
const BODY = JSON.stringify({ message: 'Say hello to the benchmark.' })

/** Time until the first text delta reached the caller; milliseconds. */
export interface FirstTokenRow {
  target: string
  p50: number
  p99: number
}

/**
 * First token of `/run-stream` against a bare route that streams the AI SDK, alternating request by request.
 */
export async function measureFirstToken({ troupe, bareOrigin }: Setting): Promise<FirstTokenRow[]> {
  const json = { 'content-type': 'application/json' }
  const targets = [
    { name: 'bare AI SDK stream', origin: bareOrigin, path: '/stream', headers: json },
    { name: 'Troupe /run-stream', origin: troupe.origin, path: troupe.streamPath, headers: troupe.headers },
  ].map((target) => ({ ...target, pool: new Pool(target.origin, { connections: 1 }), times: [] as number[] }))
  for (let request = 0; request < REQUESTS + 50; request++) {
    for (const { pool, times, origin, path, headers } of targets) {
      const milliseconds = await timeToMarker(
        pool,
        { origin, path, headers, body: BODY },
        'event: RunContent',
      )
      if (request >= 50) times.push(milliseconds)
    }
  }
  await Promise.all(targets.map(({ pool }) => pool.close()))
  return targets.map(({ name, times }) => ({
    target: name,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }))
}
