import { Pool } from 'undici'
import { type LoadResult, repeat } from '../load/closed-loop.ts'
import { processorMs } from '../load/processor-time.ts'
import { median, spread } from '../load/statistics.ts'
import { AGENT_ID } from '../targets/bundle.ts'
import { startChild, untilPrinted } from '../targets/child.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'

const ROUND_MS = 2_000
const ROUNDS = 15
const CALLERS = 8
const MESSAGE = 'Say hello to the benchmark.'

/** The cost of a streamed run in one format. */
export interface StreamRow {
  target: string
  runsPerSecond: number
  p50: number
  /** Processor time of Troupe for each run, its embedded database included; milliseconds. */
  processorMs: number
  range: [number, number]
  /** Processor time of all rounds for each run, against the native format. */
  ofNative: number
}

/** One round of load; the CPU time is of all its runs, in milliseconds. */
interface Round {
  load: LoadResult
  used: number
}

/**
 * The same agent, whose model streams 100 pieces of text, by `/run-stream` and as an OpenAI-compatible chat completion,
 * alternating round by round.
 */
export async function measureStreamFormats(databaseUrl: string | null): Promise<StreamRow[]> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await dataFolder())
  const model = stack.use(startChild('bench/src/targets/model-server.ts', ['pieces'], {}))
  const modelUrl = await untilPrinted(model, /model server at (\S+)/)
  const troupe = stack.use(await startTroupe({ folder: folder.path, modelUrl, databaseUrl }))
  const pool = new Pool(troupe.origin, { connections: CALLERS, pipelining: 1 })
  stack.defer(() => pool.destroy())
  const authorization = `Bearer ${troupe.headers['x-api-key']}`
  const chat = {
    model: AGENT_ID,
    messages: [{ role: 'user', content: MESSAGE }],
    stream: true,
    stream_options: { include_usage: true },
  }
  const native = {
    target: 'native',
    request: { path: troupe.streamPath, headers: troupe.headers, body: JSON.stringify({ message: MESSAGE }) },
    end: 'event: RunCompleted',
  }
  const openAi = {
    target: 'OpenAI-compatible',
    request: {
      path: '/api/v1/openai/chat/completions',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(chat),
    },
    end: 'data: [DONE]',
  }
  const targets = [native, openAi].map((target) => ({
    ...target,
    rounds: [] as Round[],
    run: async () => {
      const { body } = await pool.request({ method: 'POST', ...target.request })
      const text = await body.text()
      if (!text.includes(target.end)) throw new Error(`${target.target} ended without ${target.end}: ${text}`)
    },
  }))
  const pid = troupe.child.process.pid ?? 0
  // Warm-up: new code and first connections are slow.
  for (const { run } of targets) await repeat(run, CALLERS, ROUND_MS)
  for (let round = 0; round < ROUNDS; round += 1) {
    // The first of a round alternates: the machine may change its speed during one.
    for (const { run, rounds } of round % 2 === 0 ? targets : targets.toReversed()) {
      const before = await processorMs(pid)
      const load = await repeat(run, CALLERS, ROUND_MS)
      rounds.push({ load, used: (await processorMs(pid)) - before })
    }
  }
  const meanOf = (rounds: readonly Round[]) =>
    rounds.reduce((sum, { used }) => sum + used, 0) / rounds.reduce((sum, { load }) => sum + load.requests, 0)
  const nativeMean = meanOf(targets[0]?.rounds ?? [])
  return targets.map(({ target, rounds }) => ({
    target,
    runsPerSecond: median(rounds.map(({ load }) => load.requestsPerSecond)),
    p50: median(rounds.map(({ load }) => load.p50)),
    processorMs: meanOf(rounds),
    range: spread(rounds.map(({ load, used }) => used / load.requests)),
    ofNative: meanOf(rounds) / nativeMean,
  }))
}
