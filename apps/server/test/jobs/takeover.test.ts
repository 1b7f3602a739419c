import { openReusedDatabase } from '@troupe/storage/reused-database'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forsaken } from './impatient.ts'
import { EVENTUALLY, JobSetting, newTag } from './job-setting.ts'
import { logProblems } from './log-rules.ts'
import { CALLS, MEMBER_RUNS, SUBJECTS } from './scripted-crew.ts'

/** Milliseconds in which a sent response is committed, including on a busy machine. */
const COMMIT_MS = 100

const resources = new AsyncDisposableStack()
/** Looks dead from the moment it claims a job, and continues to work: the worst kind of lost worker. */
let zombie: JobSetting
let heir: TestServer
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  zombie = resources.use(await JobSetting.start({ overrides: { database: forsaken(database) } }))
  heir = resources.use(await startTestServer({ overrides: { database } }))
  for (const { context } of [zombie.server, heir]) context.duties[Symbol.dispose]()
})
afterAll(() => resources.disposeAsync())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const count = (names: readonly string[], name: string) => names.filter((one) => one === name).length

describe.each(SUBJECTS)('a job of %s taken from a living worker', (name) => {
  test('continues from its last committed step, and later writes of the old worker are refused', async () => {
    const subject = zombie.subjects[name]
    const undisturbed = newTag()
    const { duties } = heir.context
    for (let nth = 1; nth <= CALLS[name].length; nth += 1) {
      const tag = newTag()
      // The old worker's responses arrive in pieces, the last one long after the job has ended elsewhere.
      zombie.crew.behave(tag, (call) => (call >= nth ? { firstTokenDelayMs: 5, paceMs: 300 } : {}))
      const jobId = await zombie.start(subject, tag, { include_messages: true })
      await expect.poll(() => zombie.crew.callsOf(tag).length, EVENTUALLY).toBeGreaterThanOrEqual(nth)
      await pause(COMMIT_MS)
      const finished = zombie.crew.answered(tag)
      zombie.crew.release(tag)
      await duties.perform('watchdog')
      const job = await zombie.untilEnded(subject, jobId)
      expect(job.status).toBe('completed')
      const { active } = zombie.server.context.runs
      await expect.poll(() => active.size, EVENTUALLY).toBe(0)
      expect(await zombie.poll(subject, jobId)).toEqual(job)

      const calls = zombie.crew.callsOf(tag).map((call) => call.name)
      expect(new Set(calls)).toEqual(new Set(CALLS[name]))
      for (const one of finished) expect(count(calls, one), `${one} was finished`).toBe(1)
      for (const one of CALLS[name]) expect(count(calls, one)).toBeLessThanOrEqual(2)
      // 10 tokens in and 5 out for each call, and each is in the ledger once.
      expect(job.result?.metrics).toMatchObject({
        inputTokens: 10 * CALLS[name].length,
        outputTokens: 5 * CALLS[name].length,
      })
      const log = await zombie.log(subject, jobId)
      expect(logProblems(log)).toEqual([])
      const members = log.filter(({ event }) => event === 'MemberRunStarted')
      expect(members).toHaveLength(MEMBER_RUNS[name])
      const last = log.at(-1)
      expect(last?.event === 'RunCompleted' && last.result.messages).toEqual(job.result?.messages)
    }
    const plain = await zombie.untilEnded(subject, await zombie.start(subject, undisturbed))
    expect(plain.result?.content).toContain(undisturbed)
  })
})
