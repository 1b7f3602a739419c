import { Pool } from 'undici'
import { processorMs } from '../load/processor-time.ts'
import { RUNS_PER_COUNTED, spreadCallers } from '../load/spread-callers.ts'
import { median, quantile, spread } from '../load/statistics.ts'
import { type MeasuredTeam, TEAMS } from '../targets/bundle.ts'
import { startChild, untilPrinted } from '../targets/child.ts'
import { dataFolder, startTroupe, type Troupe } from '../targets/troupe.ts'

/** The latency of every reply of the model server, in milliseconds. */
const LATENCY_MS = 200
const ROUNDS_ALONE = 6
const CALLERS = 32
const ROUNDS_TOGETHER = 2
/** Token count of every reply of the model server, so that a response shows how many calls it took. */
const INPUT_TOKENS_PER_CALL = 10

/** End-to-end times of one target; milliseconds. */
export interface TeamRow {
  target: string
  callers: number
  /** The sum of the sequential model latencies. */
  minimumMs: number
  p50: number
  p95: number
  /** Lowest and highest round. */
  range: [number, number]
  /** CPU time of Troupe per run; null for targets without Troupe. */
  processorMs: number | null
}

interface Target {
  name: string
  minimumMs: number
  /** Whether the target includes Troupe. */
  viaTroupe: boolean
  send(): Promise<void>
}

interface Round {
  times: number[]
  processorMs: number
}

/** One run of a team; the response must have cost exactly the calls that the mode needs. */
function teamTarget({ id, name, stages }: MeasuredTeam, { headers }: Troupe, pool: Pool): Target {
  const expected = INPUT_TOKENS_PER_CALL * stages.reduce((sum, calls) => sum + calls, 0)
  const request = {
    method: 'POST' as const,
    path: `/api/v1/teams/${id}/run-sync`,
    headers,
    body: JSON.stringify({ message: 'Run the benchmark.' }),
  }
  return {
    name,
    minimumMs: stages.length * LATENCY_MS,
    viaTroupe: true,
    async send() {
      const { statusCode, body } = await pool.request(request)
      const text = await body.text()
      const spent = statusCode === 200 ? JSON.parse(text).metrics.inputTokens : null
      if (spent !== expected) throw new Error(`${name} did not follow its script: ${statusCode} ${text}`)
    },
  }
}

/** Concurrent model calls without Troupe: the minimum cost of one stage. */
function bareTarget(calls: number, pool: Pool): Target {
  const body = JSON.stringify({
    model: 'bench-model',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Run the benchmark.' }],
  })
  const request = {
    method: 'POST' as const,
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body,
  }
  const once = async () => (await pool.request(request)).body.text()
  return {
    name: calls === 1 ? 'model server, one call' : `model server, ${calls} at once`,
    minimumMs: LATENCY_MS,
    viaTroupe: false,
    async send() {
      await Promise.all(Array.from({ length: calls }, once))
    },
  }
}

async function measureRounds(
  targets: readonly Target[],
  pid: number,
  { callers, rounds, round }: { callers: number; rounds: number; round(target: Target): Promise<number[]> },
): Promise<TeamRow[]> {
  const all = new Map<Target, Round[]>(targets.map((target) => [target, []]))
  for (let n = 0; n < rounds; n++) {
    for (const [target, seen] of all) {
      const before = await processorMs(pid)
      const times = await round(target)
      seen.push({ times, processorMs: (await processorMs(pid)) - before })
    }
  }
  return [...all].map(([{ name, minimumMs, viaTroupe }, seen]) => {
    const times = seen.flatMap((one) => one.times)
    const runs = callers === 1 ? times.length : times.length * RUNS_PER_COUNTED
    const used = seen.reduce((sum, one) => sum + one.processorMs, 0) / runs
    return {
      target: name,
      callers,
      minimumMs,
      p50: median(times),
      p95: quantile(times, 0.95),
      range: spread(seen.map((one) => median(one.times))),
      processorMs: viaTroupe ? used : null,
    }
  })
}

/** Runs teams of every mode against a model of fixed latency: one run, then 32 concurrently. */
export async function measureTeamModes(databaseUrl: string | null): Promise<TeamRow[]> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await dataFolder())
  const model = stack.use(startChild('bench/src/targets/model-server.ts', [String(LATENCY_MS)], {}))
  const modelUrl = await untilPrinted(model, /model server at (\S+)/)
  const troupe = stack.use(await startTroupe({ folder: folder.path, modelUrl, databaseUrl }))
  const poolOf = (origin: string) => {
    const pool = new Pool(origin, { connections: null, pipelining: 1 })
    stack.defer(() => pool.destroy())
    return pool
  }
  const runs = poolOf(troupe.origin)
  const calls = poolOf(new URL(modelUrl).origin)
  const targets = [
    bareTarget(1, calls),
    bareTarget(8, calls),
    ...TEAMS.map((team) => teamTarget(team, troupe, runs)),
  ]
  const pid = troupe.child.process.pid ?? 0
  // Warm-up: new code and first connections are slow.
  for (const { send } of targets) {
    for (let run = 0; run < 2; run++) await Promise.all(Array.from({ length: CALLERS }, send))
  }
  const alone = await measureRounds(targets, pid, {
    callers: 1,
    rounds: ROUNDS_ALONE,
    async round({ send }) {
      const sentAt = performance.now()
      await send()
      return [performance.now() - sentAt]
    },
  })
  const together = await measureRounds(targets, pid, {
    callers: CALLERS,
    rounds: ROUNDS_TOGETHER,
    round: ({ send, minimumMs }) => spreadCallers(send, CALLERS, minimumMs),
  })
  return [...alone, ...together]
}
