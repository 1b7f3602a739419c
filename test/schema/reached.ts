import type { Served } from './served.ts'

/** The statuses of each route's responses, by method and path with parameters in braces. */
export type Reached = Map<string, Set<number>>

/**
 * Routes on which no generated request can succeed: their token is only mailed, their ids are items of a list, their body is a zip
 * archive, or there is no media server.
 */
const OUT_OF_REACH = new Set([
  'GET /invitations/{token}',
  'POST /invitations/{token}',
  'GET /reset-password/{token}',
  'POST /reset-password/{token}',
  'POST /api/builder/bundles/archive',
  'POST /api/v1/knowledge-bases/search',
  'POST /api/v1/voice-agents/{agentId}/sessions',
  'POST /api/v1/calls',
])

/** Routes with a lower rate limit in the spec than a run sends. */
const LIMITED = new Set(['POST /api/v1/voice-agents/{agentId}/sessions'])

/** Adds a server's counts since its start. */
export async function addReached(reached: Reached, { url, credentials }: Served): Promise<void> {
  const read = async () => {
    const headers = { authorization: `Bearer ${credentials.adminToken}` }
    return (await fetch(`${url}/metrics`, { headers })).text()
  }
  // The second reading counts the first one.
  await read()
  const metrics = await read()
  const counters = metrics.matchAll(
    /request_duration_seconds_count\{method="(\w+)",route="([^"]+)",status="(\d+)"\}/g,
  )
  for (const [, method, route = '', status] of counters) {
    const name = `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`
    reached.set(name, (reached.get(name) ?? new Set()).add(Number(status)))
  }
}

/**
 * Gaps in the meaning of a run: operations of a document that were never called with success, or were refused by a rate limit. Also
 * operations that are no longer out of reach.
 */
export function surprises(document: string, reached: Reached): string[] {
  const { paths }: { paths: Record<string, object> } = JSON.parse(document)
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  return names
    .filter(
      (name) =>
        hasSucceeded(reached.get(name)) === OUT_OF_REACH.has(name) ||
        (reached.get(name)?.has(429) === true && !LIMITED.has(name)),
    )
    .map((name) => `${name} answered ${[...(reached.get(name) ?? [])].toSorted().join(', ') || 'nothing'}`)
}

function hasSucceeded(statuses: ReadonlySet<number> = new Set()): boolean {
  return [...statuses].some((status) => status < 400)
}
