import type { StreamEvent } from '@troupe/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HeldEngine } from './held-engine.ts'
import { EVENTUALLY, JobSetting, newTag } from './job-setting.ts'
import { answerOf, logProblems } from './log-rules.ts'
import { CALLS, MEMBER_RUNS, SUBJECTS } from './scripted-crew.ts'

const engine = new HeldEngine()
let setting: JobSetting
beforeAll(async () => {
  setting = await JobSetting.start({ overrides: { engine } })
})
afterAll(() => setting[Symbol.asyncDispose]())
afterEach(() => engine.deliver())

const names = (events: readonly StreamEvent[]) => events.map(({ event }) => event)
const isEnd = (event: StreamEvent | undefined) => event?.event === 'RunCompleted'

describe.each(SUBJECTS)('the events of a job of %s', (name) => {
  test('are followed from before its start to its end, and replayed identically', async () => {
    const subject = setting.subjects[name]
    const tag = newTag()
    const jobId = await setting.start(subject, tag)
    const early = await setting.stream(subject, jobId)
    expect(early.status).toBe(200)
    expect(early.headers.get('x-run-id')).toBe(jobId)
    expect(early.events).toEqual([])
    setting.crew.behave(tag, () => ({ firstTokenDelayMs: 30 }))
    const turn = engine.deliver()
    await expect.poll(() => early.events.length, EVENTUALLY).toBeGreaterThan(1)
    const during = await setting.stream(subject, jobId, { headers: { 'last-event-id': '1' } })
    await Promise.all([turn, early.ended, during.ended])
    const log = await setting.log(subject, jobId)
    expect(early.events).toEqual(log)
    expect(during.events).toEqual(log.slice(1))
    expect(logProblems(log)).toEqual([])
    expect(log[0]).toMatchObject({ event: 'RunStarted', seq: 1, kind: subject.kind, runId: jobId })
    const members = log.filter(({ event }) => event === 'MemberRunCompleted')
    expect(members).toHaveLength(MEMBER_RUNS[name])
    expect(names(log).filter((event) => event === 'ModelRequestCompleted')).toHaveLength(CALLS[name].length)
    const { result } = await setting.poll(subject, jobId)
    expect(answerOf(log)).toBe(result?.content)
  })

  test('are resumed after any number without a gap or a repetition', async () => {
    const subject = setting.subjects[name]
    const jobId = await setting.start(subject, newTag())
    await engine.deliver()
    const log = await setting.log(subject, jobId)
    for (let after = 0; after < log.length; after += 1) {
      const rest = await setting.stream(subject, jobId, { query: `?detail=full&last_event_id=${after}` })
      await rest.ended
      expect(rest.events).toEqual(log.slice(after))
    }
  })

  test('in the detail "answer" suffice to assemble the answer', async () => {
    const subject = setting.subjects[name]
    const jobId = await setting.start(subject, newTag())
    await engine.deliver()
    const reader = await setting.stream(subject, jobId, { query: '?detail=answer' })
    await reader.ended
    expect(new Set(names(reader.events))).toEqual(new Set(['RunStarted', 'RunContent', 'RunCompleted']))
    expect(answerOf(reader.events)).toBe((await setting.poll(subject, jobId)).result?.content)
  })
})

test('a stream that was cut while the job ran is resumed at the cut', async () => {
  const subject = setting.subjects['plan-execute']
  const tag = newTag()
  setting.crew.behave(tag, () => ({ firstTokenDelayMs: 20, paceMs: 10 }))
  const jobId = await setting.start(subject, tag)
  const turn = engine.deliver()
  const seen: StreamEvent[] = []
  let cuts = 0
  while (!isEnd(seen.at(-1))) {
    const reader = await setting.stream(subject, jobId, {
      headers: { 'last-event-id': String(seen.at(-1)?.seq ?? 0) },
    })
    await expect.poll(() => reader.events.length, EVENTUALLY).toBeGreaterThan(0)
    reader.close()
    await reader.ended
    seen.push(...reader.events)
    cuts += 1
  }
  await turn
  expect(cuts).toBeGreaterThan(3)
  expect(seen).toEqual(await setting.log(subject, jobId))
})

test('the stream of a job cancelled before its start ends immediately, with one event', async () => {
  const subject = setting.subjects.agent
  const jobId = await setting.start(subject, newTag())
  const reader = await setting.stream(subject, jobId)
  await setting.cancel(subject, jobId)
  await reader.ended
  expect(reader.events).toMatchObject([{ event: 'RunCancelled', seq: 1, reason: 'user', content: '' }])
  expect(await setting.log(subject, jobId)).toEqual(reader.events)
})

test('a job with a failing model ends its stream with the message of the poll', async () => {
  const subject = setting.subjects.agent
  const tag = newTag()
  setting.crew.behave(tag, () => ({ status: 500 }))
  const jobId = await setting.start(subject, tag)
  await engine.deliver()
  const log = await setting.log(subject, jobId)
  const { status, error } = await setting.poll(subject, jobId)
  expect([status, names(log)[0], names(log).at(-1)]).toEqual(['failed', 'RunStarted', 'RunError'])
  expect(log.at(-1)).toMatchObject({ error: 'upstream_error', message: error })
})

test('a job has no stream under another subject', async () => {
  const { agent, handoff } = setting.subjects
  const jobId = await setting.start(agent, newTag())
  for (const path of [handoff.path, `/api/v1/agents/${setting.agentIds[0]}`]) {
    const answer = await setting.server.call(`GET ${path}/runs/${jobId}/stream`)
    expect([answer.status, answer.body]).toMatchObject([404, { error: 'run_not_found' }])
  }
})
