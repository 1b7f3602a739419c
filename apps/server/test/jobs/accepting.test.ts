import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JobSetting, newTag, type Subject } from './job-setting.ts'
import { messageOf, SUBJECTS } from './scripted-crew.ts'

let setting: JobSetting
beforeAll(async () => {
  setting = await JobSetting.start()
})
afterAll(() => setting[Symbol.asyncDispose]())

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const entityOf = ({ kind, id }: Subject) => (kind === 'agent' ? { agentId: id } : { teamId: id })

describe.each(SUBJECTS)('a job of %s', (name) => {
  test('is acknowledged by 202 with exactly four fields, and completes', async () => {
    const subject = setting.subjects[name]
    const accepted = await setting.enqueue(subject, newTag())
    const createdAt = expect.any(Number)
    expect(accepted.status).toBe(202)
    expect(accepted.body).toEqual({
      jobId: expect.stringMatching(UUID),
      ...entityOf(subject),
      status: 'queued',
      createdAt,
    })
    const { jobId } = accepted.body as { jobId: string }
    const job = await setting.untilEnded(subject, jobId)
    expect(job).toEqual({
      ...(accepted.body as object),
      status: 'completed',
      startedAt: expect.any(Number),
      completedAt: expect.any(Number),
      error: null,
      result: {
        content: expect.stringContaining('for'),
        sessionId: expect.stringMatching(UUID),
        userId: expect.stringMatching(UUID),
        success: true,
        metrics: {
          inputTokens: expect.any(Number),
          outputTokens: expect.any(Number),
          latencyMs: expect.any(Number),
          model: null,
          failoverUsed: false,
        },
        messages: null,
        ...(name === 'plan-execute' && { plan: expect.objectContaining({ goalCompleted: true }) }),
      },
    })
  })

  test('has the requested messages of the run, and its requested session', async () => {
    const subject = setting.subjects[name]
    const tag = newTag()
    const body = { session_id: `s-${tag}`, user_id: 'maria', include_messages: true }
    const job = await setting.untilEnded(subject, await setting.start(subject, tag, body))
    expect(job.result).toMatchObject({ sessionId: `s-${tag}`, userId: 'maria' })
    expect(job.result?.messages?.[0]).toMatchObject({ role: 'user', content: messageOf(tag) })
    const own = job.result?.messages?.filter(({ runId }) => runId === job.jobId)
    expect(own?.at(-1)).toMatchObject({ role: 'assistant', content: job.result?.content })
    const last = (await setting.log(subject, job.jobId)).at(-1)
    if (last?.event !== 'RunCompleted') throw new Error(JSON.stringify(last))
    const { runId, createdAt, agentName: _, teamName: __, ...result } = last.result as Record<string, unknown>
    expect({ runId, createdAt }).toEqual({ runId: job.jobId, createdAt: job.createdAt })
    expect(result).toEqual({ ...entityOf(subject), ...job.result })
  })

  test('an Idempotency-Key repeats the 202 for any state of the job, and calls no model again', async () => {
    const subject = setting.subjects[name]
    const tag = newTag()
    const headers = { 'idempotency-key': randomUUID() }
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => setting.enqueue(subject, tag, { headers })),
    )
    for (const other of others) expect([other.status, other.body]).toEqual([202, first?.body])
    const { jobId } = first?.body as { jobId: string }
    await setting.untilEnded(subject, jobId)
    const calls = setting.crew.callsOf(tag).length
    const later = await setting.enqueue(subject, tag, { headers })
    expect([later.status, later.body]).toEqual([202, first?.body])
    expect(setting.crew.callsOf(tag)).toHaveLength(calls)
    const conflict = await setting.enqueue(subject, tag, { headers, body: { include_messages: true } })
    expect([conflict.status, conflict.body]).toMatchObject([409, { error: 'idempotency_conflict' }])
  })
})

describe('an id that is not a job of the path', () => {
  const answers = async (subject: Subject, jobId: string, key?: string) => {
    const call = (target: string) => setting.server.call(target, key ? { key } : {})
    return [
      await call(`GET ${subject.jobs}/${jobId}`),
      await call(`POST ${subject.jobs}/${jobId}/cancel`),
    ].map(({ status, body }) => ({ status, body }))
  }
  const notFound = { status: 404, body: { error: 'job_not_found', message: 'Job not found.' } }
  const nothing = [notFound, notFound]

  test.each([
    ['unknown', () => randomUUID()],
    ['malformed', () => 'not-a-uuid'],
    ['malformed with a percent sign', () => '%25'],
    ['empty but for spaces', () => '%20'],
    ['very long', () => 'a'.repeat(100)],
  ])('%s: the same 404 on both paths', async (_name, id) => {
    expect(await answers(setting.subjects.agent, id())).toEqual(nothing)
    expect(await answers(setting.subjects.handoff, id())).toEqual(nothing)
  })

  test('of the other kind: the same 404, and the job is unaffected', async () => {
    const { agent, handoff } = setting.subjects
    const ofAgent = await setting.start(agent, newTag())
    const ofTeam = await setting.start(handoff, newTag())
    expect(await answers(handoff, ofAgent)).toEqual(nothing)
    expect(await answers(agent, ofTeam)).toEqual(nothing)
    expect(await setting.untilEnded(agent, ofAgent)).toMatchObject({ status: 'completed' })
    expect(await setting.untilEnded(handoff, ofTeam)).toMatchObject({ status: 'completed' })
  })

  test('of another organization or another project: the same 404, and the job is unaffected', async () => {
    const { keys } = setting.server.seed
    for (const name of ['agent', 'parallel'] as const) {
      const subject = setting.subjects[name]
      const jobId = await setting.start(subject, newTag())
      for (const key of [keys.otherOrganization, keys.project, keys.otherProject]) {
        expect(await answers(subject, jobId, key)).toEqual(nothing)
      }
      expect(await setting.untilEnded(subject, jobId)).toMatchObject({ status: 'completed' })
    }
  })

  test('of a synchronous run or of a member: the same 404', async () => {
    const { agent, handoff } = setting.subjects
    const run = await setting.server.call(`POST ${agent.path}/run`, {
      body: { message: messageOf(newTag()) },
    })
    expect(await answers(agent, (run.body as { runId: string }).runId)).toEqual(nothing)
    const body = { message: messageOf(newTag()) }
    const synced = await setting.server.call(`POST ${handoff.path}/run-sync`, { body })
    expect(await answers(handoff, (synced.body as { runId: string }).runId)).toEqual(nothing)
    const job = await setting.untilEnded(
      handoff,
      await setting.start(handoff, newTag(), { include_messages: true }),
    )
    const member = job.result?.messages?.find(({ runId }) => runId !== job.jobId)
    expect(member).toBeDefined()
    expect(await answers(handoff, member?.runId ?? '')).toEqual(nothing)
    expect(await answers(agent, member?.runId ?? '')).toEqual(nothing)
  })
})
