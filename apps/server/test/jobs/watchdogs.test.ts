import { checkedId, newId, RunId } from '@troupe/contract'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HeldEngine } from './held-engine.ts'
import { impatient } from './impatient.ts'
import { EVENTUALLY, JobSetting, newTag } from './job-setting.ts'
import { answerOf, logProblems } from './log-rules.ts'
import { SUBJECTS } from './scripted-crew.ts'

/** Seconds; tests that need longer times have none of these. */
const patience = { dispatchSeconds: 60, queueSeconds: 3_600, redeliverSeconds: 30 }
const usual = { ...patience }
const engine = new HeldEngine()
const resources = new AsyncDisposableStack()
let setting: JobSetting
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  setting = resources.use(
    await JobSetting.start({ overrides: { engine, database: impatient(database, patience) } }),
  )
})
afterAll(() => resources.disposeAsync())
afterEach(async () => {
  Object.assign(patience, usual)
  engine.down = false
  await engine.deliver()
})

const sweep = () => setting.server.context.duties.perform('watchdog')
const jobs = () => setting.server.context.database.jobs
/** Repeats and awaits the write after the 202: the engine has the delivery. */
const noted = (runId: RunId) => jobs().dispatched({ runId, slice: 0 }, patience.redeliverSeconds)

describe('while the engine is unreachable', () => {
  test('a job is acknowledged and waits, and runs when the engine is back', async () => {
    engine.down = true
    const subject = setting.subjects.agent
    const accepted = await setting.enqueue(subject, newTag())
    expect(accepted.status).toBe(202)
    const jobId = checkedId(RunId, (accepted.body as { jobId: string }).jobId)
    await sweep()
    expect(await setting.poll(subject, jobId)).toMatchObject({ status: 'queued', startedAt: null })
    engine.down = false
    await sweep()
    // A submitted delivery is due again after ten seconds.
    if (engine.held.length === 0) engine.held.push({ lane: 'jobs', runId: jobId, slice: 0 })
    await engine.deliver()
    expect(await setting.poll(subject, jobId)).toMatchObject({ status: 'completed' })
  })

  test.each(SUBJECTS)('a job of %s ends as failed after a minute, with a message', async (name) => {
    engine.down = true
    const subject = setting.subjects[name]
    const tag = newTag()
    const jobId = await setting.start(subject, tag)
    patience.dispatchSeconds = 0
    await sweep()
    const job = await setting.poll(subject, jobId)
    expect(job).toMatchObject({
      status: 'failed',
      startedAt: null,
      completedAt: expect.any(Number),
      result: null,
      error: 'The job could not be dispatched: the engine is unreachable.',
    })
    expect((await setting.log(subject, jobId)).at(-1)).toMatchObject({
      event: 'RunError',
      message: job.error,
    })
    expect((await setting.cancel(subject, jobId)).body).toEqual({ jobId, status: 'failed' })
    await jobs().claim({ runId: jobId, slice: 0 }, 'late', 30)
    expect(await setting.poll(subject, jobId)).toEqual(job)
    expect(setting.crew.callsOf(tag)).toEqual([])
  })
})

test.each(SUBJECTS)('a job of %s that was accepted and not started in time ends as timeout', async (name) => {
  const subject = setting.subjects[name]
  const tag = newTag()
  const jobId = await setting.start(subject, tag)
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  await noted(jobId)
  patience.queueSeconds = 0
  await sweep()
  expect(await setting.poll(subject, jobId)).toMatchObject({
    status: 'timeout',
    startedAt: null,
    completedAt: expect.any(Number),
    result: null,
    error: 'The job was not started in time.',
  })
  await engine.deliver()
  expect(setting.crew.callsOf(tag)).toEqual([])
})

test('a job over its run limit ends as timeout, keeps its partial text, and its socket is closed', async () => {
  const config = { execution: { max_seconds: 5 }, instructions: 'I am Ada.' }
  const { agentId } = await setting.runs.agent(config)
  const subject = { ...setting.subjects.agent, id: agentId, path: `/api/v1/agents/${agentId}` }
  const tag = newTag()
  setting.crew.holdFrom(tag, 1)
  const session = { session_id: `s-${tag}` }
  const jobId = await setting.start(subject, tag, session)
  await engine.deliver()
  const job = await setting.poll(subject, jobId)
  expect(job).toMatchObject({
    status: 'timeout',
    startedAt: expect.any(Number),
    completedAt: expect.any(Number),
    result: null,
    error: 'The job ran longer than 5 seconds.',
  })
  expect((job.completedAt ?? 0) - (job.startedAt ?? 0)).toBeGreaterThanOrEqual(4)
  expect(await setting.crew.callsOf(tag)[0]?.request.aborted).toBeGreaterThan(0)
  const events = await setting.log(subject, jobId)
  expect(events.at(-1)).toMatchObject({ event: 'RunError', error: 'execution_timeout', message: job.error })
  expect(answerOf(events)).toBe(`Ada has worked for ${tag}, word by word.`)
})

test.each(SUBJECTS)('a job of %s with a lost dispatch is submitted again', async (name) => {
  const subject = setting.subjects[name]
  const jobId = await setting.start(subject, newTag())
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  await noted(jobId)
  expect(engine.lose()).toHaveLength(1)
  await sweep()
  expect(engine.held, 'not before its time').toEqual([])
  patience.redeliverSeconds = -2 * usual.redeliverSeconds
  await noted(jobId)
  await sweep()
  expect(engine.held).toEqual([{ lane: 'jobs', runId: jobId, slice: 0 }])
  await engine.deliver()
  const job = await setting.poll(subject, jobId)
  expect([job.status, logProblems(await setting.log(subject, jobId))]).toEqual(['completed', []])
})

test.each(SUBJECTS)('a job of %s that loses three workers on one step fails and names it', async (name) => {
  const subject = setting.subjects[name]
  const tag = newTag()
  const jobId = await setting.start(subject, tag)
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  engine.lose()
  for (const [slice, workerId] of ['w1', 'w2', 'w3'].entries()) {
    expect(await jobs().claim({ runId: jobId, slice }, workerId, -1)).not.toBeNull()
    expect(await setting.poll(subject, jobId)).toMatchObject({ status: 'running', error: null })
    await sweep()
  }
  expect(await setting.poll(subject, jobId)).toMatchObject({
    status: 'failed',
    startedAt: expect.any(Number),
    completedAt: expect.any(Number),
    result: null,
    error: 'The worker was lost 3 times at step 1.',
  })
  await engine.deliver()
  expect(setting.crew.callsOf(tag)).toEqual([])
})

test('losses on different steps do not add up', async () => {
  const subject = setting.subjects.agent
  const jobId = await setting.start(subject, newTag())
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  engine.lose()
  let slice = 0
  for (const key of ['x', 'y', 'z']) {
    for (const workerId of ['w1', 'w2']) {
      const job = await jobs().claim({ runId: jobId, slice }, workerId, -1)
      if (!job) throw new Error('not claimed')
      const stored = { name: 'tool_call', version: 1, output: {} }
      const step = {
        runId: job.runId,
        fence: job.fence,
        key,
        step: stored,
        usage: [],
        members: [],
        events: [],
      }
      if (workerId === 'w2') expect(await jobs().commitStep(step)).toBe(true)
      await sweep()
      slice += 1
    }
  }
  await engine.deliver()
  expect(await setting.poll(subject, jobId)).toMatchObject({ status: 'completed' })
})

describe('a job whose subject has changed since it was accepted', () => {
  // Measures how soon the log has its end: a busy machine may be late.
  test('fails with a message if its team was deleted', { retry: 2 }, async () => {
    const subject = setting.subjects['dynamic-delegation']
    const { context, seed } = setting.server
    const tag = newTag()
    const jobId = await setting.start(subject, tag)
    const team = await context.database.read.teams.byId(seed.organizationId, subject.id as never)
    if (!team) throw new Error('no team')
    await context.database.transaction(({ write }) => write.teams.delete(seed.organizationId, team.id))
    context.catalog.forget(seed.organizationId)
    await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
    await engine.deliver()
    const job = await setting.poll(subject, jobId)
    expect(job).toMatchObject({
      status: 'failed',
      startedAt: expect.any(Number),
      result: null,
      error: 'The team of this job no longer exists.',
    })
    const before = Date.now()
    const events = await setting.log(subject, jobId)
    expect(events).toMatchObject([{ event: 'RunError', seq: 1, error: 'upstream_error', message: job.error }])
    expect(Date.now() - before, 'its log has its end').toBeLessThan(1_500)
    expect(setting.crew.callsOf(tag)).toEqual([])
  })

  test('runs with the accepted version, even if its agent has changed since', async () => {
    const agent = await setting.runs.agent({ instructions: 'I am Ada.' })
    const subject = { ...setting.subjects.agent, id: agent.agentId, path: `/api/v1/agents/${agent.agentId}` }
    const tag = newTag()
    const jobId = await setting.start(subject, tag)
    const config = { instructions: 'I am somebody else.' }
    const put = await setting.server.call(`PUT ${subject.path}`, { body: { config } })
    expect(put.status).toBe(200)
    await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
    await engine.deliver()
    expect(await setting.poll(subject, jobId)).toMatchObject({ status: 'completed' })
    expect(JSON.stringify(setting.crew.callsOf(tag)[0]?.request.body.messages)).toContain('I am Ada.')
  })
})

test('an unknown delivery and a stale one do nothing', async () => {
  const subject = setting.subjects.agent
  const jobId = await setting.start(subject, newTag())
  await expect.poll(() => engine.held.length, EVENTUALLY).toBe(1)
  await engine.deliver()
  const job = await setting.poll(subject, jobId)
  for (const runId of [jobId, newId(RunId)]) {
    for (const slice of [0, 1, 7]) engine.held.push({ lane: 'jobs', runId, slice })
  }
  await engine.deliver()
  expect(await setting.poll(subject, jobId)).toEqual(job)
})
