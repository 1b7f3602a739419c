import { openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closedBySignal } from '../runs/held-polls.ts'
import { EVENTUALLY, JobSetting, listen, newTag } from './job-setting.ts'
import { answerOf, logProblems } from './log-rules.ts'
import { SUBJECTS } from './scripted-crew.ts'

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)

/** Two servers on one PostgreSQL: `setting` executes the jobs, callers use `second`. */
describe.skipIf(!postgres)('jobs of another process', () => {
  const resources = new AsyncDisposableStack()
  let setting: JobSetting
  let second: TestServer
  let origin: string
  beforeAll(async () => {
    if (!postgres) return
    resources.use(postgres)
    const { url } = resources.use(await postgres.createDatabase())
    const open = async () =>
      resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 5, replicas: true }))
    setting = resources.use(await JobSetting.start({ overrides: { database: await open() } }))
    second = resources.use(await startTestServer({ overrides: { database: await open() } }))
    origin = await listen(second)
  })
  afterAll(() => resources.disposeAsync())

  test.each(SUBJECTS)('%s: are polled and followed to their end', async (name) => {
    const subject = setting.subjects[name]
    const tag = newTag()
    setting.crew.behave(tag, () => ({ firstTokenDelayMs: 20 }))
    const jobId = await setting.start(subject, tag)
    const reader = await setting.stream(subject, jobId, { origin })
    await reader.ended
    const job = await setting.poll(subject, jobId, second)
    expect(job).toMatchObject({ status: 'completed' })
    expect(job).toEqual(await setting.poll(subject, jobId))
    expect([logProblems(reader.events), answerOf(reader.events)]).toEqual([[], job.result?.content])
  })

  test.each(SUBJECTS)('%s: are cancelled, and their sockets are closed without a poll', async (name) => {
    const subject = setting.subjects[name]
    for (const way of ['cancel', 'cancelRun'] as const) {
      const tag = newTag()
      setting.crew.holdFrom(tag, 2)
      if (name === 'agent') setting.crew.holdFrom(tag, 1)
      const jobId = await setting.start(subject, tag)
      await expect.poll(() => setting.crew.hanging(tag).length, EVENTUALLY).toBeGreaterThan(0)
      const open = setting.crew.heldCalls(tag)
      const cancel = () => setting[way](subject, jobId, second)
      expect((await closedBySignal([setting.server, second], open, cancel)).status).toBe(200)
      expect(await setting.poll(subject, jobId, second)).toMatchObject({ status: 'cancelled' })
      const reader = await setting.stream(subject, jobId, { origin })
      await reader.ended
      expect(reader.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user' })
    }
  })
})
