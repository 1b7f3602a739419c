import { randomUUID } from 'node:crypto'
import type { AgentRunResult } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Deployment, type DeploymentKind, isPossible } from '../jobs/deployment.ts'
import { newTag, type Subject, subjectOf } from '../jobs/job-setting.ts'
import { instructionsOf } from '../jobs/scripted-crew.ts'
import { each } from '../workflows/survivors.ts'
import { type ShopServer, startShopServer } from './shop-server.ts'

/** Jobs in flight at once, each with two tool calls in its first step and one in its second. */
const JOBS = 500
const KINDS = ['pglite', 'restate'] as const satisfies readonly DeploymentKind[]
/** The duration of the kills, and the minimum lifetime of a worker, in milliseconds. */
const KILLING_MS = 30_000
const LIFE_MS = 1_000
const FEWEST_DEATHS = 10
/** Concurrent jobs of one worker. */
const IN_HAND = 16
/**
 * A worker lives until every job that the last death may have met has committed a step, however slow the machine: three
 * deaths on one step end a job, as designed. This is the maximum wait for the next commit.
 */
const STANDSTILL_MS = 60_000
const PATIENCE_MS = 240_000
const AT_ONCE = 24

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const between = (least: number, most: number) => least + Math.random() * (most - least)

/** The calls of a job in their order; only `look_up` is idempotent. */
const TOOLS = { 'call:0.0': 'charge', 'call:0.1': 'look_up', 'call:1.0': 'notify' } as const
type ToolName = (typeof TOOLS)[keyof typeof TOOLS]

interface Started {
  tag: string
  jobId: string
}

/** A result that is known to be stored: its tool must not be called again. */
interface Stored {
  jobId: string
  tool: string
  seenAt: number
}

describe.each(KINDS.filter(isPossible))('tool calls of jobs on %s', (kind) => {
  const agentId = randomUUID()
  const subject: Subject = subjectOf('agent', agentId)
  let shop: ShopServer
  let deployment: Deployment
  /** The times of calls to the shop, by `<tool> <tag>`. */
  const asked = new Map<string, number[]>()
  beforeAll(async () => {
    shop = await startShopServer()
    shop.answer(({ url = '' }, response) => {
      const [, tool, tag] = url.split('/')
      const key = `${tool} ${tag}`
      asked.set(key, [...(asked.get(key) ?? []), Date.now()])
      setTimeout(() => response.end(`${tool} is done for ${tag}`), between(20, 150))
    })
    const started = await Deployment.start(
      kind,
      { agents: [carrier()] },
      { TROUPE_WORKER_CONCURRENCY: String(IN_HAND) },
    )
    if (!started) throw new Error(`this machine lacks a part of ${kind}`)
    deployment = started
  })
  afterAll(async () => {
    await deployment?.[Symbol.asyncDispose]()
    await shop?.[Symbol.asyncDispose]()
  })

  function carrier() {
    const input_schema = { type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] }
    const tool = (name: ToolName, method: string) => ({
      type: 'http',
      name,
      method,
      url: `${shop.origin}/${name}/{tag}`,
      input_schema,
    })
    const tools = [tool('charge', 'POST'), tool('look_up', 'GET'), tool('notify', 'POST')]
    const config = {
      instructions: instructionsOf('Carrier'),
      model: { retry: { attempts_per_model: 1 } },
      tools,
    }
    return { slug: 'carrier', name: 'Carrier', id: agentId, status: 'active', config }
  }

  /** The stored state, read by a query if there is one. */
  async function stored(): Promise<Stored[]> {
    if (!deployment.hasSql) return []
    const rows = await deployment.sql(`select run_id || ' ' || key from run_steps where key like 'call:%'`)
    const seenAt = Date.now()
    return rows.flatMap((row) => {
      const [jobId = '', key = ''] = row.split(' ')
      const tool = new Map<string, string>(Object.entries(TOOLS)).get(key)
      return tool === undefined ? [] : [{ jobId, tool, seenAt }]
    })
  }

  /**
   * Whether the job has committed a step since then: it makes the next request only after the step of a response is
   * stored. A call of a tool or a model alone proves nothing, because a resumed job repeats what its worker had not
   * stored.
   */
  function hasCommitted(tag: string, since: number): boolean {
    const calls = deployment.crew.callsOf(tag)
    const answers = calls.flatMap(({ answeredAt }) => answeredAt ?? []).filter((at) => at > since)
    const answered = Math.min(...answers)
    const requests = [
      ...calls.map(({ request }) => request.receivedAt),
      ...Object.values(TOOLS).flatMap((tool) => asked.get(`${tool} ${tag}`) ?? []),
    ]
    return requests.some((at) => at > answered)
  }

  /**
   * At least a second, until every job that was under way at the last death has committed a step. That includes jobs
   * that a worker had claimed but that had not called a model yet: only their rows show them.
   */
  async function live(jobs: readonly Started[], diedAt: number): Promise<void> {
    const statusOf = async ({ jobId }: Started) => (await deployment.caller.poll(subject, jobId)).status
    await pause(LIFE_MS)
    const statuses = await each(jobs, AT_ONCE, statusOf)
    const waiting = new Set(jobs.filter((_, at) => statuses[at] === 'running'))
    let movedAt = Date.now()
    while (waiting.size > 0) {
      for (const job of waiting) {
        if (!hasCommitted(job.tag, diedAt) && (await statusOf(job)) === 'running') continue
        waiting.delete(job)
        movedAt = Date.now()
      }
      if (Date.now() - movedAt > STANDSTILL_MS) throw new Error(`${waiting.size} jobs do not move`)
      await pause(50)
    }
  }

  /** Kills a worker repeatedly; several are killed in turn, and the others continue in the meantime. */
  async function storm(jobs: readonly Started[]): Promise<{ deaths: number; found: Stored[] }> {
    const found = new Map<string, Stored>()
    const boots: Promise<unknown>[] = []
    const until = Date.now() + KILLING_MS
    let diedAt = 0
    let deaths = 0
    while (Date.now() < until || deaths < FEWEST_DEATHS) {
      const index = deaths % deployment.programs.length
      await boots[index]
      if (deaths >= deployment.programs.length) await live(jobs, diedAt)
      for (const one of await stored()) {
        const key = `${one.jobId} ${one.tool}`
        if (!found.has(key)) found.set(key, one)
      }
      const program = deployment.programs[index]
      expect(await program?.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
      diedAt = Date.now()
      deaths += 1
      const other = deployment.programs[(index + 1) % deployment.programs.length]
      if (other && other !== program) deployment.caller.origin = other.origin
      boots[index] = deployment.boot(index)
      if (deployment.programs.length === 1) await boots[index]
    }
    await Promise.all(boots)
    return { deaths, found: [...found.values()] }
  }

  /** Everything that the job lost or repeated, and the number of unknown outcomes. */
  async function verdictOn({ tag, jobId }: Started): Promise<{ problems: string[]; unknown: number }> {
    const job = await deployment.caller.untilEnded(subject, jobId, PATIENCE_MS)
    if (job.status !== 'completed') {
      return { problems: [`${jobId} ended as ${job.status}: ${job.error}`], unknown: 0 }
    }
    const { content, messages } = job.result as Pick<AgentRunResult, 'content' | 'messages'>
    const calls = (messages ?? []).flatMap(({ toolCalls }) => toolCalls ?? [])
    const problems = content === `Carried for ${tag}.` ? [] : [`${jobId} says ${content}`]
    if (calls.map(({ name }) => name).join() !== 'charge,look_up,notify') {
      problems.push(`${jobId} has the calls ${calls.map(({ name }) => name).join()}`)
    }
    let unknown = 0
    for (const { name, status, result } of calls) {
      const times = asked.get(`${name} ${tag}`)?.length ?? 0
      const isKnown = status === 'ok' && result === `${name} is done for ${tag}`
      const isUnknown = name !== 'look_up' && result?.includes('"code":"unknown_outcome"') === true
      if (isUnknown) unknown += 1
      if (!isKnown && !isUnknown) problems.push(`${jobId}: ${name} gave ${result}`)
      if (isKnown && times === 0) problems.push(`${jobId}: ${name} was never called`)
      if (name !== 'look_up' && times > 1) problems.push(`${jobId}: ${name} was called ${times} times`)
    }
    return { problems, unknown }
  }

  test(`${JOBS} jobs with three calls each survive killed workers: nothing unsafe is repeated, nothing is lost`, async () => {
    const { crew } = deployment
    // No call is answered before all of them are in flight; waiting calls die with the first workers.
    crew.behaveUsually(() => ({ hang: 'stream' }))
    const jobs = await each(Array.from({ length: JOBS }, newTag), AT_ONCE, async (tag) => {
      return { tag, jobId: await deployment.caller.start(subject, tag, { include_messages: true }) }
    })
    crew.behaveUsually(() => ({ firstTokenDelayMs: between(5, 60), paceMs: 1 }))
    const { deaths, found } = await storm(jobs)
    const verdicts = await each(jobs, AT_ONCE, verdictOn)
    const tags = new Map(jobs.map(({ jobId, tag }) => [jobId, tag]))
    const repeated = found.filter(({ jobId, tool, seenAt }) =>
      asked.get(`${tool} ${tags.get(jobId)}`)?.some((at) => at > seenAt),
    )
    const calls = [...asked.values()].flat().length
    const unknown = verdicts.reduce((sum, verdict) => sum + verdict.unknown, 0)
    console.info(
      `${kind}: ${JOBS} jobs, ${deaths} deaths, ${calls} calls for ${JOBS * 3} planned, ${unknown} unknown outcomes, ` +
        `${found.length} results seen to be stored`,
    )
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([])
    expect(repeated).toEqual([])
    if (deployment.hasSql) {
      expect(found.length).toBeGreaterThan(0)
      const left = `select id::text from runs where status in ('queued', 'running')`
      expect(await deployment.sql(left)).toEqual([])
    }
  }, 900_000)
})
