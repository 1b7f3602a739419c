import { isJsonObject, OPERATIONS, type Operation } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { TestAnswer } from '@troupe/test-kit/server'

/** Sends requests such as `GET /api/v1/agents`. */
type Ask = (target: string) => Promise<TestAnswer>

/** Ids named in responses, by the name of their path parameter. */
type Pool = Map<string, Set<string>>

/** More ids of one kind add no variety. */
const IDS_OF_ONE_KIND = 6
/** Lists name resources, resources name others, and those have details. */
const ROUNDS = 3

function gather(value: unknown, pool: Pool): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (/[a-z]Id$/.test(key) && typeof inner === 'string') {
      const known = pool.get(key) ?? new Set()
      if (known.size < IDS_OF_ONE_KIND) pool.set(key, known.add(inner))
    }
    gather(inner, pool)
  }
}

/** Every path of an operation whose parameters occurred in responses. */
function pathsOf(path: string, pool: Pool): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1]
  if (name === undefined) return [path]
  return [...(pool.get(name) ?? [])].flatMap((id) => pathsOf(path.replace(`{${name}}`, id), pool))
}

/**
 * Calls every reading operation of both contracts for everything reachable from lists, and `seen` with each response. New
 * operations are included automatically.
 */
export async function everyAnswer(
  ask: Record<'api_key' | 'builder', Ask>,
  known: Readonly<Record<string, string>>,
  seen: (target: string, answer: TestAnswer) => void,
): Promise<Set<string>> {
  const pool: Pool = new Map(Object.entries(known).map(([name, id]) => [name, new Set([id])]))
  const asked = new Set<string>()
  const answered = new Set<string>()
  const reading = Object.values<Operation>({ ...OPERATIONS, ...BUILDER_OPERATIONS }).filter(
    ({ method, success }) => method === 'GET' && success.type !== 'text/event-stream',
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { id, path, access } of reading) {
      if (access !== 'api_key' && access !== 'builder') continue
      for (const target of pathsOf(path, pool)) {
        if (asked.has(target)) continue
        asked.add(target)
        const answer = await ask[access](`GET ${target}`)
        seen(target, answer)
        if (answer.status === 200) answered.add(id)
        if (isJsonObject(answer.body)) gather(answer.body, pool)
      }
    }
  }
  return answered
}
