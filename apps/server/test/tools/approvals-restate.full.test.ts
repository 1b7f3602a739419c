import { randomUUID } from 'node:crypto'
import { type AgentRunResult, type Approval, propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Deployment, isPossible } from '../jobs/deployment.ts'
import { newTag, type Subject, subjectOf } from '../jobs/job-setting.ts'
import { instructionsOf } from '../jobs/scripted-crew.ts'
import { type ShopServer, startShopServer } from './shop-server.ts'

const PATIENT = { timeout: 60_000, interval: 50 }
const JOBS = 6

describe.runIf(isPossible('restate'))('approvals on Restate', () => {
  const [patient, hasty] = [subjectOf('agent', randomUUID()), subjectOf('agent', randomUUID())]
  let shop: ShopServer
  let deployment: Deployment
  beforeAll(async () => {
    shop = await startShopServer()
    const agents = [carrier('carrier', patient, 86_400), carrier('hasty', hasty, 3)]
    const started = await Deployment.start('restate', { agents })
    if (!started) throw new Error('this machine lacks a part of restate')
    deployment = started
  })
  afterAll(async () => {
    await deployment?.[Symbol.asyncDispose]()
    await shop?.[Symbol.asyncDispose]()
  })

  /** An agent that charges, which needs an approval, looks something up, and then notifies. */
  function carrier(slug: string, { id }: Subject, approval_timeout_s: number) {
    const input_schema = { type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] }
    const tool = (name: string, more: object) => {
      return { type: 'http', name, url: `${shop.origin}/${name}/{tag}`, input_schema, ...more }
    }
    const tools = [
      tool('charge', { method: 'POST', approval: 'always', approval_timeout_s }),
      tool('look_up', { method: 'GET' }),
      tool('notify', { method: 'POST' }),
    ]
    const config = {
      instructions: instructionsOf('Carrier'),
      model: { retry: { attempts_per_model: 1 } },
      tools,
    }
    return { slug, name: slug, id, status: 'active', config }
  }

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${deployment.caller.origin}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': deployment.customer.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }

  async function pending(): Promise<Approval[]> {
    return propertyOf(await call('GET', '/approvals?status=pending&limit=100'), 'data') as Approval[]
  }

  const approve = ({ approvalId }: Approval) =>
    call('POST', `/approvals/${approvalId}/resolve`, { decision: 'approve' })
  const start = (subject: Subject, tag: string) =>
    deployment.caller.start(subject, tag, { include_messages: true })

  /** Kills a worker; requests go to the other one from now on. */
  async function kill(index: number): Promise<void> {
    const other = deployment.programs[1 - index]
    if (other) deployment.caller.origin = other.origin
    await deployment.programs[index]?.end('SIGKILL')
  }

  const callsFor = (tag: string, tool: string) => shop.seen.filter(({ url }) => url === `/${tool}/${tag}`)

  async function resultOf(subject: Subject, jobId: string): Promise<AgentRunResult> {
    const job = await deployment.caller.untilEnded(subject, jobId, PATIENT.timeout)
    expect(job).toMatchObject({ status: 'completed' })
    return job.result as AgentRunResult
  }

  const callsOf = ({ messages }: AgentRunResult) =>
    (messages ?? []).flatMap(({ toolCalls }) => toolCalls ?? [])

  test('jobs wait for their approval although every worker is killed, and act once each', async () => {
    const jobs = await Promise.all(
      Array.from({ length: JOBS }, newTag).map(async (tag) => ({ tag, jobId: await start(patient, tag) })),
    )
    await expect.poll(async () => (await pending()).length, PATIENT).toBe(JOBS)
    await expect.poll(() => jobs.filter(({ tag }) => callsFor(tag, 'look_up').length > 0).length).toBe(JOBS)
    await Promise.all([kill(0), kill(1)])
    await Promise.all([deployment.boot(0), deployment.boot(1)])
    const approvals = await pending()
    expect(approvals.map(({ runId }) => runId).sort()).toEqual(jobs.map(({ jobId }) => jobId).sort())
    expect(jobs.flatMap(({ tag }) => callsFor(tag, 'charge'))).toEqual([])

    await Promise.all(approvals.slice(0, JOBS / 2).map(approve))
    await kill(1)
    await Promise.all(approvals.slice(JOBS / 2).map(approve))
    await deployment.boot(1)
    await kill(0)
    await deployment.boot(0)

    for (const { tag, jobId } of jobs) {
      const [charge] = callsOf(await resultOf(patient, jobId))
      expect(charge?.name).toBe('charge')
      expect(callsFor(tag, 'charge').length).toBeLessThanOrEqual(1)
      if (charge?.status === 'ok') expect(callsFor(tag, 'charge')).toHaveLength(1)
      else expect(charge?.result).toContain('unknown_outcome')
    }
    expect(await pending()).toEqual([])
  })

  test('an undecided call is denied by the delivery at its deadline', async () => {
    const tag = newTag()
    const [charge] = callsOf(await resultOf(hasty, await start(hasty, tag)))
    expect(charge).toMatchObject({ name: 'charge', status: 'denied' })
    expect(callsFor(tag, 'charge')).toEqual([])
    expect(callsFor(tag, 'notify')).toHaveLength(1)
  })
})
