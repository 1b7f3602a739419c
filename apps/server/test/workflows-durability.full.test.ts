import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Deployment, type DeploymentKind, isPossible } from './jobs/deployment.ts'
import {
  CALLS,
  callOf,
  each,
  outputOf,
  SHAPES,
  type Survivor,
  SurvivorCaller,
  survivorWorkflows,
} from './workflows/survivors.ts'

/** Runs in flight at once: exactly the ceiling of the organization. */
const RUNS = 1_000
/** The duration of the kills, and the lifetime of a worker, in milliseconds. */
const KILLING_MS = 30_000
const LIFE_MS = 1_000
/** More deaths take longer on a machine so busy that boots take most of the time. */
const FEWEST_DEATHS = 12
/** Concurrent runs of one worker. */
const IN_HAND = 16
/** A worker lives until it has received this many answers: three deaths on one node end a run, as designed. */
const LIFE_ANSWERS = IN_HAND + 8
const LONGEST_LIFE_MS = 15_000
const PATIENCE_MS = 240_000
/** Runs read before each death, if no query can read all of them. */
const LOOKED_AT = 25
const AT_ONCE = 24
const IN_FLIGHT = ['queued', 'running', 'paused', 'awaiting_approval']
const KINDS = ['pglite', 'postgres', 'restate'] as const satisfies readonly DeploymentKind[]

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const between = (least: number, most: number) => least + Math.random() * (most - least)

/** An answer that is known to be stored: it must not be requested again. */
interface Stored {
  runId: string
  call: string
  seenAt: number
}

describe.each(KINDS.filter(isPossible))('workflow runs on %s', (kind) => {
  const { ids, items } = survivorWorkflows()
  let deployment: Deployment
  let caller: SurvivorCaller
  beforeAll(async () => {
    const started = await Deployment.start(
      kind,
      { workflows: items },
      { TROUPE_WORKER_CONCURRENCY: String(IN_HAND) },
    )
    if (!started) throw new Error(`this machine lacks a part of ${kind}`)
    deployment = started
    caller = new SurvivorCaller(() => deployment.caller.origin, deployment.customer.key)
  })
  afterAll(() => deployment?.[Symbol.asyncDispose]())

  /** The stored answers: read by a query if possible, else by the API for some runs. */
  async function stored(runs: readonly Survivor[]): Promise<Stored[]> {
    if (deployment.hasSql) {
      const rows = await deployment.sql(
        `select run_id || ' ' || node_id || ' ' || path from workflow_node_runs where status = 'completed'`,
      )
      const seenAt = Date.now()
      return rows.flatMap((row) => {
        const [runId = '', nodeId = '', path = ''] = row.split(' ')
        const call = callOf(path, nodeId)
        return call === null ? [] : [{ runId, call, seenAt }]
      })
    }
    const some = Array.from({ length: LOOKED_AT }, () => runs[Math.floor(between(0, runs.length))])
    const seen = await Promise.all(
      some.map(async (run) => (run ? (await caller.stored(run.runId)).map((call) => [run.runId, call]) : [])),
    )
    const seenAt = Date.now()
    return seen.flat().map(([runId = '', call = '']) => ({ runId, call, seenAt }))
  }

  /** At least a second, until the runs have made progress. */
  async function live(): Promise<void> {
    const answers = () => deployment.crew.calls.filter(({ answeredAt }) => answeredAt !== null).length
    const enough = answers() + LIFE_ANSWERS
    const until = Date.now() + LONGEST_LIFE_MS
    await pause(LIFE_MS)
    while (answers() < enough && Date.now() < until) await pause(50)
  }

  /** Kills a worker every second; several are killed in turn, and the others continue in the meantime. */
  async function killAgainAndAgain(runs: readonly Survivor[]): Promise<{ deaths: number; found: Stored[] }> {
    const found = new Map<string, Stored>()
    const boots: Promise<unknown>[] = []
    const until = Date.now() + KILLING_MS
    let deaths = 0
    while (Date.now() < until || deaths < FEWEST_DEATHS) {
      const index = deaths % deployment.programs.length
      await boots[index]
      if (deaths >= deployment.programs.length) await live()
      for (const one of await stored(runs)) {
        const key = `${one.runId} ${one.call}`
        if (!found.has(key)) found.set(key, one)
      }
      const program = deployment.programs[index]
      expect(await program?.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
      deaths += 1
      const other = deployment.programs[(index + 1) % deployment.programs.length]
      if (other && other !== program) deployment.caller.origin = other.origin
      boots[index] = deployment.boot(index)
      if (deployment.programs.length === 1) await boots[index]
    }
    await Promise.all(boots)
    return { deaths, found: [...found.values()] }
  }

  async function untilEnded({ runId }: Survivor): Promise<{ status: string; error: string | null }> {
    const giveUpAt = Date.now() + PATIENCE_MS
    for (;;) {
      const run = await caller.poll(runId)
      if (!IN_FLIGHT.includes(run.status)) return run
      if (Date.now() > giveUpAt) return run
      await pause(250)
    }
  }

  test(`${RUNS} survive workers that are killed every second for 30 seconds, and repeat nothing that was stored`, async () => {
    const { crew } = deployment
    // No call is answered before all of them are in flight; waiting calls die with the first workers.
    crew.behaveUsually(() => ({ hang: 'stream' }))
    const wanted = Array.from({ length: RUNS }, (_, index) => SHAPES[index % SHAPES.length] ?? 'pure')
    const runs = await each(wanted, AT_ONCE, (shape) => caller.run(shape, ids[shape]))
    crew.behaveUsually(() => ({ firstTokenDelayMs: between(20, 120), paceMs: between(1, 20) }))
    const { deaths, found } = await killAgainAndAgain(runs)
    const problems = await each(runs, AT_ONCE, async (run) => {
      const { status, error } = await untilEnded(run)
      if (status !== 'completed') return [`${run.shape} ${run.runId} is ${status}: ${error}`]
      const calls = crew.callsOf(run.tag).map(({ name }) => name)
      const output = await caller.output(run.runId)
      const expected = outputOf(run.shape, run.tag)
      return [
        ...(JSON.stringify(output) === JSON.stringify(expected)
          ? []
          : [`${run.shape} ${run.runId} gave ${JSON.stringify(output)}`]),
        ...CALLS[run.shape].filter((name) => !calls.includes(name)).map((name) => `${name} was never asked`),
        ...calls.filter((name) => !CALLS[run.shape].includes(name)).map((name) => `${name} was asked`),
      ]
    })
    expect(problems.flat()).toEqual([])
    const tags = new Map(runs.map(({ runId, tag }) => [runId, tag]))
    const asked = Map.groupBy(crew.calls, ({ tag, name }) => `${tag} ${name}`)
    const repeated = found.filter(({ runId, call, seenAt }) =>
      asked.get(`${tags.get(runId)} ${call}`)?.some(({ request }) => request.receivedAt > seenAt),
    )
    expect(repeated).toEqual([])
    console.info(
      `${kind}: ${deaths} deaths, ${crew.calls.length} calls, ${found.length} answers seen to be stored`,
    )
    expect(found.length).toBeGreaterThan(LOOKED_AT)
    if (deployment.hasSql) {
      const left = `select id::text from runs where status in ('queued', 'running') union all
        select id::text from workflow_runs where status in (${IN_FLIGHT.map((status) => `'${status}'`).join()})`
      expect(await deployment.sql(left)).toEqual([])
    }
  }, 900_000)

  test('release all slots: the organization can again start exactly as many runs as its ceiling', async () => {
    const starts = await each(Array.from({ length: RUNS + 5 }), AT_ONCE, () => caller.start(ids.waiting, 'x'))
    const answers = Map.groupBy(starts, ({ status }) => status)
    expect([answers.get(202)?.length, answers.get(429)?.length]).toEqual([RUNS, 5])
  }, 900_000)
})
