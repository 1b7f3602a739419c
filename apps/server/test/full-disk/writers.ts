import { propertyOf } from '@troupe/contract'

/** The number of responses of a writer, by status; 0 is not a response. */
export type Told = Map<number, number>

/** Customers who create agents, start jobs and run workflows as fast as possible. */
export interface Writers {
  /** Paths of confirmed resources. */
  confirmed: string[]
  told: Told
  stop(): Promise<void>
}

/** The resources used by the writers. */
export interface WriterAccess {
  origin: string
  key: string
  agentId: string
  workflowId: string
}

const PATIENCE_MS = 20_000

interface Write {
  path: string
  body: object
  /** The status that confirms it. */
  status: number
  /** Its path for a later check. */
  confirmedAt: (answer: unknown) => string
}

function writesOf({ agentId, workflowId }: WriterAccess): Write[] {
  return [
    {
      path: '/agents',
      body: { name: 'A', config: { instructions: 'x'.repeat(20_000) } },
      status: 201,
      confirmedAt: (answer) => `/agents/${propertyOf(answer, 'agentId')}`,
    },
    {
      path: `/agents/${agentId}/run-async`,
      body: { message: `Hello ${'x'.repeat(20_000)}` },
      status: 202,
      confirmedAt: (answer) => `/jobs/${propertyOf(answer, 'jobId')}`,
    },
    {
      path: `/workflows/${workflowId}/run-async`,
      body: { input: { text: 'x'.repeat(20_000) } },
      status: 202,
      confirmedAt: (answer) => `/workflow-jobs/${propertyOf(answer, 'executionId')}`,
    },
  ]
}

/** Starts writers; each waits for its response before it writes again. */
export function startWriters(access: WriterAccess, count: number): Writers {
  const { origin, key } = access
  const writes = writesOf(access)
  const confirmed: string[] = []
  const told: Told = new Map()
  const ended = new AbortController()
  const write = async ({ path, body, status, confirmedAt }: Write) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => null)
    const answer: unknown = await response?.json().catch(() => null)
    told.set(response?.status ?? 0, (told.get(response?.status ?? 0) ?? 0) + 1)
    if (response?.status === status) confirmed.push(confirmedAt(answer))
  }
  const writers = Array.from({ length: count }, async (_, index) => {
    for (let turn = index; !ended.signal.aborted; turn += 1) {
      const next = writes[turn % writes.length]
      if (next) await write(next)
    }
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
