import { openReusedDatabase } from '@troupe/storage/reused-database'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTUALLY, JobSetting, newTag } from './job-setting.ts'
import { logProblems } from './log-rules.ts'
import { CALLS, SUBJECTS } from './scripted-crew.ts'

const resources = new AsyncDisposableStack()
let setting: JobSetting
let next: TestServer
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  setting = resources.use(await JobSetting.start({ overrides: { database } }))
  next = resources.use(await startTestServer({ overrides: { database } }))
  for (const { context } of [setting.server, next]) context.duties[Symbol.dispose]()
})
afterAll(() => resources.disposeAsync())

test('a stopping process returns its jobs at their next step, and another one finishes them without repetition', {
  timeout: 180_000,
}, async () => {
  const slowly = { firstTokenDelayMs: 150 }
  const jobs = await Promise.all(
    SUBJECTS.flatMap((name) => [name, name]).map(async (name) => {
      const [subject, tag] = [setting.subjects[name], newTag()]
      setting.crew.behave(tag, () => slowly)
      return { name, subject, tag, jobId: await setting.start(subject, tag) }
    }),
  )
  await expect
    .poll(() => jobs.every(({ tag }) => setting.crew.callsOf(tag).length > 0), EVENTUALLY)
    .toBe(true)
  const since = Date.now()
  expect(await setting.server.context.lifecycle.drain()).toEqual([])
  expect(Date.now() - since, 'no grace is waited for').toBeLessThan(15_000)
  const refused = await setting.enqueue(setting.subjects.agent, newTag())
  expect([refused.status, refused.body]).toMatchObject([502, { error: 'bad_gateway' }])
  const given = await Promise.all(jobs.map(({ subject, jobId }) => setting.poll(subject, jobId, next)))
  expect(new Set(given.map(({ status }) => status)), 'some had ended, some go on').toEqual(
    new Set(['completed', 'running']),
  )

  await next.context.duties.perform('watchdog')
  for (const { name, subject, tag, jobId } of jobs) {
    const job = await setting.untilEnded(subject, jobId, 60_000)
    expect([name, job.status]).toEqual([name, 'completed'])
    const calls = setting.crew.callsOf(tag).map((call) => call.name)
    expect(calls.toSorted(), 'every call was made once').toEqual(CALLS[name].toSorted())
    expect(job.result?.metrics).toMatchObject({ inputTokens: 10 * CALLS[name].length })
  }
  for (const { subject, jobId } of jobs) {
    const reader = await setting.stream(subject, jobId)
    await reader.ended
    expect(logProblems(reader.events)).toEqual([])
  }
})
