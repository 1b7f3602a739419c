import { Pool } from 'undici'
import { quantile } from './statistics.ts'

/** One request that is sent repeatedly. */
export interface LoadRequest {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
}

/** The results of one round of load; times in milliseconds. */
export interface LoadResult {
  requestsPerSecond: number
  p50: number
  p99: number
  /** Number of successful responses. */
  requests: number
}

/**
 * `concurrency` callers each repeat the action, one after another, for `milliseconds`. Rejects when any of
 * them fails.
 */
export async function repeat(
  once: () => Promise<void>,
  concurrency: number,
  milliseconds: number,
): Promise<LoadResult> {
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + milliseconds
  const caller = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now()
      await once()
      latencies.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  const elapsed = performance.now() - startedAt
  return {
    requestsPerSecond: (latencies.length / elapsed) * 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    requests: latencies.length,
  }
}

/**
 * Closed-loop load: each of `concurrency` callers sends its next request after its last response, for
 * `milliseconds`.
 *
 * @throws Error when any response is not 200: a fast failure must not look like speed.
 */
export async function closedLoop(
  request: LoadRequest,
  concurrency: number,
  milliseconds: number,
): Promise<LoadResult> {
  const pool = new Pool(request.origin, { connections: concurrency, pipelining: 1 })
  const once = async () => {
    const { statusCode, body } = await pool.request({ method: 'POST', ...request })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${request.path} answered ${statusCode}: ${text}`)
  }
  try {
    return await repeat(once, concurrency, milliseconds)
  } finally {
    await pool.close()
  }
}

/**
 * Milliseconds from sending a streaming request to the first byte that matches `marker`; then reads the rest.
 *
 * @throws Error when the marker never arrives.
 */
export async function timeToMarker(pool: Pool, request: LoadRequest, marker: string): Promise<number> {
  const sentAt = performance.now()
  const { body } = await pool.request({ method: 'POST', ...request })
  let text = ''
  let seenAfter: number | null = null
  for await (const chunk of body) {
    if (seenAfter !== null) continue
    text += String(chunk)
    if (text.includes(marker)) seenAfter = performance.now() - sentAt
  }
  if (seenAfter === null)
    throw new Error(`no ${marker} in the stream of ${request.path}: ${text.slice(0, 500)}`)
  return seenAfter
}
