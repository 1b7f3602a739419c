/** What a writer was told, by status; 0 is no answer. */
export type Told = Map<number, number>

/** Customers who create agents as fast as they are answered. */
export interface Writers {
  /** Ids that the server has confirmed. */
  confirmed: string[]
  told: Told
  stop(): Promise<void>
}

const PATIENCE_MS = 20_000

/** Starts writers; each waits for its answer before it writes again. */
export function startWriters(origin: string, key: string, count: number): Writers {
  const confirmed: string[] = []
  const told: Told = new Map()
  const ended = new AbortController()
  const write = async () => {
    const response = await fetch(`${origin}/api/v1/agents`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'A', config: { instructions: 'x'.repeat(20_000) } }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => null)
    const body: unknown = await response?.json().catch(() => null)
    told.set(response?.status ?? 0, (told.get(response?.status ?? 0) ?? 0) + 1)
    if (response?.status === 201 && isAgent(body)) confirmed.push(body.agentId)
  }
  const writers = Array.from({ length: count }, async () => {
    while (!ended.signal.aborted) await write()
  })
  return {
    confirmed,
    told,
    async stop() {
      ended.abort()
      await Promise.all(writers)
    },
  }
}

function isAgent(body: unknown): body is { agentId: string } {
  return typeof body === 'object' && body !== null && 'agentId' in body
}
