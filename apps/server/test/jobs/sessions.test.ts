import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conversation } from '../runs/model-agent.ts'
import { HeldEngine } from './held-engine.ts'
import { EVENTUALLY, JobSetting, newTag, type Subject } from './job-setting.ts'
import { messageOf } from './scripted-crew.ts'

const engine = new HeldEngine()
let setting: JobSetting
beforeAll(async () => {
  setting = await JobSetting.start({ overrides: { engine } })
})
afterAll(() => setting[Symbol.asyncDispose]())
afterEach(() => engine.deliver())

const said = (tag: string) => `Ada has worked for ${tag}, word by word.`

/** Runs synchronously in a session. */
async function run(subject: Subject, tag: string, session_id: string): Promise<number> {
  const body = { message: messageOf(tag), session_id }
  return (await setting.server.call(`POST ${subject.path}/run`, { body })).status
}

/** The conversation in the first model call of a run, without instructions. */
function shown(tag: string): string[] {
  return conversation(setting.crew.callsOf(tag)[0]?.request).filter((line) => !line.startsWith('system'))
}

const turn = (tag: string, answer: string = said(tag)) => [`user: ${messageOf(tag)}`, `assistant: ${answer}`]

test('a job sees the runs before it, and the runs after it see the job', async () => {
  const subject = setting.subjects.agent
  const [session, first, job, last] = [newTag(), newTag(), newTag(), newTag()]
  await run(subject, first, session)
  await setting.start(subject, job, { session_id: session })
  await engine.deliver()
  await run(subject, last, session)
  expect(shown(job)).toEqual([...turn(first), `user: ${messageOf(job)}`])
  expect(shown(last)).toEqual([...turn(first), ...turn(job), `user: ${messageOf(last)}`])
})

test('a waiting job does not see runs accepted after it, and they do not see it', async () => {
  const subject = setting.subjects.agent
  const [session, job, between, last] = [newTag(), newTag(), newTag(), newTag()]
  await setting.start(subject, job, { session_id: session })
  await run(subject, between, session)
  await engine.deliver()
  await run(subject, last, session)
  expect(shown(between)).toEqual([`user: ${messageOf(between)}`])
  expect(shown(job)).toEqual([`user: ${messageOf(job)}`])
  expect(shown(last)).toEqual([...turn(job), ...turn(between), `user: ${messageOf(last)}`])
})

test('jobs and runs that overlap in one session all end, and the next run sees them in the order of acceptance', async () => {
  const subject = setting.subjects.agent
  const session = newTag()
  const tags = Array.from({ length: 9 }, () => newTag())
  const started = tags.map(async (tag, index) => {
    setting.crew.behave(tag, () => ({ headersDelayMs: Math.random() * 40 }))
    if (index % 3 === 0) return run(subject, tag, session)
    return setting.start(subject, tag, { session_id: session })
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await engine.deliver()
  await Promise.all(started)
  await engine.deliver()
  const last = newTag()
  await run(subject, last, session)
  const lines = shown(last)
  expect(lines).toHaveLength(2 * tags.length + 1)
  expect(new Set(lines)).toEqual(new Set([...tags.flatMap((tag) => turn(tag)), `user: ${messageOf(last)}`]))
  for (const [index, line] of lines.entries())
    expect(line.startsWith(index % 2 ? 'assistant' : 'user')).toBe(true)
})

test('after cancelled or failed jobs the history is valid, and marks stopped ones', async () => {
  const subject = setting.subjects.agent
  const session = newTag()
  const [queued, running, failing, last] = [newTag(), newTag(), newTag(), newTag()]
  const waiting = await setting.start(subject, queued, { session_id: session })
  await setting.cancel(subject, waiting)
  await engine.deliver()
  setting.crew.holdFrom(running, 1)
  const stopped = await setting.start(subject, running, { session_id: session })
  const stopping = engine.deliver()
  await expect.poll(() => setting.crew.hanging(running).length, EVENTUALLY).toBe(1)
  const reader = await setting.stream(subject, stopped)
  await expect
    .poll(() => reader.events.filter(({ event }) => event === 'RunContent').length, EVENTUALLY)
    .toBe(4)
  await setting.cancel(subject, stopped)
  await Promise.all([stopping, reader.ended])
  setting.crew.behave(failing, () => ({ status: 400 }))
  await setting.start(subject, failing, { session_id: session })
  await engine.deliver()
  await run(subject, last, session)
  expect(shown(last)).toEqual([
    ...turn(queued, '(stopped by the user)'),
    ...turn(running, `${said(running)} (stopped by the user)`),
    `user: ${messageOf(last)}`,
  ])
})
