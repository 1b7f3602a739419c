import { AsyncLocalStorage } from 'node:async_hooks'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { expect, test } from 'vitest'
import { startRunSetting } from './model-agent.ts'

/** Statements of the requests of a test, without those of timers; `bytes` counts their values. */
const requests = new AsyncLocalStorage<{ names: string[]; bytes: number }>()

/** A run with two messages, one attempt and its prompt sends 1,590 bytes; with a null for each unset column it sent 1,900. */
const MAX_BYTES = 1_750

const sizeOf = (values: readonly unknown[]) =>
  values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value ?? '')), 0)

test('a run of a warm process writes twice and reads at most once, in few bytes, including the stored prompt', async () => {
  await using database = await openReusedDatabase((statement, values) => {
    const request = requests.getStore()
    request?.names.push(statement)
    if (request && /^(?:start|finish)_run$/.test(statement)) request.bytes += sizeOf(values)
  })
  await using setting = await startRunSetting({ overrides: { database } })
  const { agentId } = await setting.agent()
  const statementsOf = async (body: object) => {
    const request = { names: [] as string[], bytes: 0 }
    const answer = await requests.run(request, () => setting.run(agentId, body))
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    // A key is refetched half a second after it was read, whatever runs do in the meantime.
    return {
      sent: request.names.filter((statement) => !statement.includes('from "api_keys"')),
      bytes: request.bytes,
      body: answer.body as { sessionId: string },
    }
  }
  await statementsOf({ message: 'The first run reads the configuration.' })
  const first = await statementsOf({ message: 'Begin.' })
  expect(first.sent).toEqual(['start_run', 'finish_run'])
  expect(first.bytes).toBeLessThan(MAX_BYTES)
  const next = await statementsOf({ message: 'Go on.', session_id: first.body.sessionId })
  expect(next.sent).toEqual(['read_session', 'start_run', 'finish_run'])
})
