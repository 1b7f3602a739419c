import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closedBySignal } from '../runs/held-polls.ts'
import { HeldEngine } from './held-engine.ts'
import { EVENTUALLY, JobSetting, newTag, type Subject } from './job-setting.ts'
import { CALLS, SUBJECTS } from './scripted-crew.ts'

const engine = new HeldEngine()
let setting: JobSetting
beforeAll(async () => {
  setting = await JobSetting.start({ overrides: { engine } })
})
afterAll(() => setting[Symbol.asyncDispose]())
afterEach(() => engine.deliver())

/** The two ways to cancel a job; both end it, with the same response. */
const WAYS = [
  ['the job cancel', (subject: Subject, id: string) => setting.cancel(subject, id)],
  ['DELETE of the run', (subject: Subject, id: string) => setting.cancelRun(subject, id)],
] as const

function saysCancelled(way: string, jobId: string) {
  return way === 'the job cancel' ? { jobId, status: 'cancelled' } : { cancelled: true, runId: jobId }
}

describe.each(WAYS)('%s', (way, cancel) => {
  test.each(SUBJECTS)('of a queued %s ends it before it runs', async (name) => {
    const subject = setting.subjects[name]
    const tag = newTag()
    const jobId = await setting.start(subject, tag)
    expect(await setting.poll(subject, jobId)).toMatchObject({
      status: 'queued',
      startedAt: null,
      completedAt: null,
      result: null,
      error: null,
    })
    const cancelled = await cancel(subject, jobId)
    expect([cancelled.status, cancelled.body]).toEqual([200, saysCancelled(way, jobId)])
    const polled = await setting.poll(subject, jobId)
    expect(polled).toMatchObject({
      status: 'cancelled',
      startedAt: null,
      completedAt: expect.any(Number),
      result: null,
      error: null,
    })
    await engine.deliver()
    expect(setting.crew.callsOf(tag)).toEqual([])
    expect(await setting.poll(subject, jobId)).toEqual(polled)
  })

  test.each(
    SUBJECTS,
  )('of a running %s aborts every open provider socket without a poll, in each of its phases', async (name) => {
    const subject = setting.subjects[name]
    for (let nth = 1; nth <= CALLS[name].length; nth += 1) {
      const tag = newTag()
      setting.crew.holdFrom(tag, nth)
      const jobId = await setting.start(subject, tag)
      const turn = engine.deliver()
      await expect.poll(() => setting.crew.callsOf(tag).length, EVENTUALLY).toBeGreaterThanOrEqual(nth)
      expect(await setting.poll(subject, jobId)).toMatchObject({
        status: 'running',
        startedAt: expect.any(Number),
        completedAt: null,
        result: null,
        error: null,
      })
      const open = setting.crew.heldCalls(tag)
      const { body } = await closedBySignal([setting.server], open, () => cancel(subject, jobId))
      expect(body).toEqual(saysCancelled(way, jobId))
      await turn
      const calls = setting.crew.callsOf(tag).length
      const job = await setting.poll(subject, jobId)
      expect(job).toMatchObject({ status: 'cancelled', result: null, error: null })
      expect(job.completedAt).not.toBeNull()
      const events = await setting.log(subject, jobId)
      expect(events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user' })
      expect(events.filter(({ event }) => /^Run(Completed|Error|Cancelled)$/.test(event))).toHaveLength(1)
      expect(setting.crew.callsOf(tag), 'nothing is asked after a cancel').toHaveLength(calls)
    }
  })
})

test('cancelling an ended run returns 200 with its actual status, and changes nothing', async () => {
  const subject = setting.subjects.agent
  const completed = await setting.start(subject, newTag())
  const failing = newTag()
  setting.crew.behave(failing, () => ({ status: 400 }))
  const failed = await setting.start(subject, failing)
  const cancelled = await setting.start(subject, newTag())
  await setting.cancel(subject, cancelled)
  await engine.deliver()
  for (const [jobId, status] of [
    [completed, 'completed'],
    [failed, 'failed'],
    [cancelled, 'cancelled'],
  ] as const) {
    const before = await setting.untilEnded(subject, jobId)
    expect(before.status).toBe(status)
    expect(before.error === null).toBe(status !== 'failed')
    for (let again = 0; again < 2; again += 1) {
      const { status: http, body } = await setting.cancel(subject, jobId)
      expect([http, body]).toEqual([200, { jobId, status }])
      const deleted = await setting.cancelRun(subject, jobId)
      expect([deleted.status, deleted.body]).toEqual([
        200,
        { cancelled: false, runId: jobId, message: 'The run has already completed.' },
      ])
    }
    expect(await setting.poll(subject, jobId)).toEqual(before)
  }
})

test('the partial text of a cancelled job is kept, and its stream ends with it', async () => {
  const subject = setting.subjects.agent
  const tag = newTag()
  setting.crew.holdFrom(tag, 1)
  const jobId = await setting.start(subject, tag)
  const turn = engine.deliver()
  const reader = await setting.stream(subject, jobId)
  await expect
    .poll(() => reader.events.filter(({ event }) => event === 'RunContent').length, EVENTUALLY)
    .toBe(4)
  await setting.cancel(subject, jobId)
  await Promise.all([turn, reader.ended])
  const content = `Ada has worked for ${tag}, word by word.`
  expect(reader.events.at(-1)).toMatchObject({ event: 'RunCancelled', reason: 'user', content })
})
