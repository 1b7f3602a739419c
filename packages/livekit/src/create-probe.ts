import type { MediaHealth } from '@troupe/voice'

/** Below the interval of the probes, so that they never overlap. */
const PROBE_TIMEOUT_MS = 1_500
const FAILURES_TO_OPEN = 2

interface Probe {
  health(): MediaHealth
  probe(): Promise<void>
}

/** A circuit breaker for the media server and one for the SIP bridge, both closed until a probe fails twice. */
export function createProbe({
  httpUrl,
  sipHealthUrl,
}: {
  httpUrl: string
  sipHealthUrl: string | null
}): Probe {
  const server = breaker(new URL('/', httpUrl))
  const bridge = sipHealthUrl === null ? null : breaker(new URL(sipHealthUrl))
  return {
    health() {
      const rooms = server.isClosed()
      return { rooms, calls: rooms && (bridge === null || bridge.isClosed()) }
    },
    async probe() {
      await Promise.all([server.probe(), bridge?.probe()])
    },
  }
}

function breaker(url: URL) {
  let failures = 0
  return {
    isClosed: () => failures < FAILURES_TO_OPEN,
    async probe() {
      failures = (await isUp(url)) ? 0 : failures + 1
    },
  }
}

/** LiveKit responds with 406 while its node is stale; the bridge responds with 429 under load, when it refuses calls. */
async function isUp(url: URL): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}
