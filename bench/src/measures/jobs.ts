import { startRestateServer } from '@troupe/engine/testing'
import { freePort } from '@troupe/test-kit/free-port'
import { Pool } from 'undici'
import { median, spread } from '../load/statistics.ts'
import { startChild, untilPrinted } from '../targets/child.ts'
import { dataFolder, startTroupe, type Troupe } from '../targets/troupe.ts'

const ROUNDS = 4
/** Jobs per round, and the number of callers that start them. */
const JOBS = 200
const CALLERS = 32
/** Jobs that are followed sequentially. */
const FOLLOWED = 30
const LOOK_EVERY_MS = 25
const PATIENCE_MS = 60_000
const BODY = JSON.stringify({ message: 'Run the benchmark.' })

/** The results of one engine; medians of the rounds. */
export interface JobRow {
  engine: string
  /** Responses of `run-async` per second. */
  acceptedPerSecond: number
  /** From the first request to the end of the last job. */
  endedPerSecond: number
  /** Slowest and fastest round of {@link endedPerSecond}. */
  range: [number, number]
  /** One job without concurrent load, from its request to the end of its stream; milliseconds. */
  aloneMs: number
}

interface Target {
  engine: string
  troupe: Troupe
  pool: Pool
}

interface Round {
  accepted: number
  ended: number
  aloneMs: number
}

async function post({ pool, troupe }: Target, path: string, status: number): Promise<string> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path,
    headers: troupe.headers,
    body: BODY,
  })
  const text = await body.text()
  if (statusCode !== status) throw new Error(`${path} answered ${statusCode}: ${text}`)
  return text
}

/** The number of asynchronous runs that the process has completed. Throws when a run ended otherwise. */
async function completedJobs({ troupe }: Target): Promise<number> {
  const text = await (await fetch(`${troupe.origin}/metrics`)).text()
  const counts = text.matchAll(
    /^troupe_run_duration_seconds_count\{[^}]*source="api_async",status="(\w+)"\} (\d+)/gm,
  )
  let completed = 0
  for (const [, status, count] of counts) {
    if (status !== 'completed') throw new Error(`${count} jobs ended as ${status}`)
    completed += Number(count)
  }
  return completed
}

async function untilCompleted(target: Target, count: number): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while ((await completedJobs(target)) < count) {
    if (performance.now() > giveUpAt) throw new Error(`jobs are missing:\n${target.troupe.child.output()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Milliseconds of single jobs, each followed to the end of its stream. */
async function followedMs(target: Target): Promise<number[]> {
  const { troupe, pool } = target
  const times: number[] = []
  for (let job = 0; job < FOLLOWED; job++) {
    const sentAt = performance.now()
    const { jobId } = JSON.parse(await post(target, troupe.jobPath, 202)) as { jobId: string }
    const path = troupe.jobPath.replace('/run-async', `/runs/${jobId}/stream`)
    const { body } = await pool.request({ method: 'GET', path, headers: troupe.headers })
    if (!(await body.text()).includes('event: RunCompleted')) throw new Error(`job ${jobId} did not complete`)
    times.push(performance.now() - sentAt)
  }
  return times
}

async function measureRound(target: Target): Promise<Round> {
  const aloneMs = median(await followedMs(target))
  const before = await completedJobs(target)
  const startedAt = performance.now()
  let sent = 0
  const caller = async () => {
    while (sent < JOBS) {
      sent++
      await post(target, target.troupe.jobPath, 202)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const acceptedMs = performance.now() - startedAt
  await untilCompleted(target, before + JOBS)
  const endedMs = performance.now() - startedAt
  return { aloneMs, accepted: (JOBS / acceptedMs) * 1000, ended: (JOBS / endedMs) * 1000 }
}

/** The same round without jobs: the caller waits for the synchronous response. */
async function measureSynchronousRound(target: Target): Promise<Round> {
  const { runPath } = target.troupe
  const times: number[] = []
  for (let run = 0; run < FOLLOWED; run++) {
    const sentAt = performance.now()
    await post(target, runPath, 200)
    times.push(performance.now() - sentAt)
  }
  const startedAt = performance.now()
  let sent = 0
  const caller = async () => {
    while (sent < JOBS) {
      sent++
      await post(target, runPath, 200)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const rate = (JOBS / (performance.now() - startedAt)) * 1000
  return { aloneMs: median(times), accepted: rate, ended: rate }
}

/** Two databases of one kind: the engines are measured side by side, each on its own rows. */
export type DatabaseUrls = readonly [string, string] | readonly [null, null]

/** Jobs of an agent through every engine, in alternating rounds, and synchronous runs of the same agent. */
export async function measureJobs([localUrl, restateUrl]: DatabaseUrls): Promise<JobRow[]> {
  await using stack = new AsyncDisposableStack()
  const model = stack.use(startChild('bench/src/targets/model-server.ts', [], {}))
  const modelUrl = await untilPrinted(model, /model server at (\S+)/)
  const open = async (engine: string, databaseUrl: string | null, env: Record<string, string>) => {
    const { path } = stack.use(await dataFolder())
    const troupe = stack.use(await startTroupe({ folder: path, modelUrl, databaseUrl, env }))
    const pool = new Pool(troupe.origin, { connections: CALLERS, pipelining: 1 })
    stack.defer(() => pool.destroy())
    return { engine, troupe, pool }
  }
  const local = await open('local', localUrl, {})
  const measured: { target: Target; measure(target: Target): Promise<Round> }[] = [
    { target: { ...local, engine: 'none: /run' }, measure: measureSynchronousRound },
    { target: local, measure: measureRound },
  ]
  const restate = await startRestateServer()
  if (restate) {
    stack.use(restate)
    const env = {
      RESTATE_INGRESS_URL: restate.ingressUrl,
      RESTATE_ADMIN_URL: restate.adminUrl,
      RESTATE_WORKER_PORT: String(await freePort()),
    }
    measured.push({ target: await open('restate', restateUrl, env), measure: measureRound })
  }
  for (const { target, measure } of measured) await measure(target)
  const rounds = new Map<string, Round[]>(measured.map(({ target }) => [target.engine, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { target, measure } of measured) rounds.get(target.engine)?.push(await measure(target))
  }
  return [...rounds].map(([engine, seen]) => ({
    engine,
    acceptedPerSecond: median(seen.map(({ accepted }) => accepted)),
    endedPerSecond: median(seen.map(({ ended }) => ended)),
    range: spread(seen.map(({ ended }) => ended)),
    aloneMs: median(seen.map(({ aloneMs }) => aloneMs)),
  }))
}
