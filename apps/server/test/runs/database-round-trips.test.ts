import { AsyncLocalStorage } from 'node:async_hooks'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { expect, test } from 'vitest'
import { startRunSetting } from './model-agent.ts'

/** Statements of the requests of a test, without those of timers. */
const requests = new AsyncLocalStorage<string[]>()

test('a run of a warm process writes twice and reads at most once, including the stored prompt', async () => {
  await using database = await openReusedDatabase((statement) => requests.getStore()?.push(statement))
  await using setting = await startRunSetting({ overrides: { database } })
  const { agentId } = await setting.agent()
  const statementsOf = async (body: object) => {
    const sent: string[] = []
    const answer = await requests.run(sent, () => setting.run(agentId, body))
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    // A key is refetched half a second after it was read, whatever runs do meanwhile.
    return {
      sent: sent.filter((statement) => !statement.includes('from "api_keys"')),
      body: answer.body as { sessionId: string },
    }
  }
  await statementsOf({ message: 'The first run reads the configuration.' })
  const first = await statementsOf({ message: 'Begin.' })
  expect(first.sent).toEqual(['start_run', 'finish_run'])
  const next = await statementsOf({ message: 'Go on.', session_id: first.body.sessionId })
  expect(next.sent).toEqual(['read_session', 'start_run', 'finish_run'])
})
