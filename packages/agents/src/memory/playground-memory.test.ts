import { expect, test } from 'vitest'
import { RunKit } from '../testing/run-kit.ts'

test.each([
  ['playground', 'u', true],
  ['api_stream', 'u', true],
  ['playground', null, false],
] as const)('a run of the source %s with the user %j is learned from: %j', async (source, userId, learns) => {
  const config = (given: { memory: { user_memories: { enabled: boolean } } }) => {
    given.memory.user_memories.enabled = true
  }
  await using kit = new RunKit({ agents: [{ name: 'Ada', config }], respond: () => 'Hello.' })
  await kit.stream({ source, userId })
  const [run] = kit.store.runs.values()
  expect(run?.end?.learns).toBe(learns)
})
