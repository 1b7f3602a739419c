import { Pool } from 'undici'
import { type LoadResult, repeat } from '../load/closed-loop.ts'
import { processorMs } from '../load/processor-time.ts'
import { median, spread } from '../load/statistics.ts'
import { startChild, untilPrinted } from '../targets/child.ts'
import { TOOL_STEPS, toolBundle } from '../targets/tool-agent.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'

const ROUND_MS = 4_000
const ROUNDS = 5
const CALLERS = [1, 16]

/** The cost of a step of the tool loop; milliseconds. */
export interface ToolLoopRow {
  callers: number
  /** A call of the model and a call of the tool, one after the other, without Troupe. */
  bareStepMs: number
  /** A run divided by its steps. */
  stepMs: number
  /** Lowest and highest round of `stepMs`. */
  range: [number, number]
  stepsPerSecond: number
  /** Processor time of Troupe for each step, its embedded database included. */
  processorMs: number
}

/**
 * Runs of an agent that calls an HTTP tool in ten steps, against the same calls without Troupe. Model and tool answer
 * immediately, so the difference is the cost of the loop.
 */
export async function measureToolLoop(databaseUrl: string | null): Promise<ToolLoopRow[]> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await dataFolder())
  const model = stack.use(startChild('bench/src/targets/model-server.ts', ['tools'], {}))
  const tools = stack.use(startChild('bench/src/targets/tool-server.ts', [], {}))
  const modelUrl = await untilPrinted(model, /model server at (\S+)/)
  const toolUrl = await untilPrinted(tools, /tool server at (\S+)/)
  const troupe = stack.use(
    await startTroupe({
      folder: folder.path,
      modelUrl,
      databaseUrl,
      bundle: toolBundle(modelUrl, toolUrl),
      env: { TROUPE_ALLOWED_NETWORKS: 'loopback' },
    }),
  )
  const poolOf = (origin: string) => {
    const pool = new Pool(origin, { connections: null, pipelining: 1 })
    stack.defer(() => pool.destroy())
    return pool
  }
  const [runs, models, lookups] = [troupe.origin, new URL(modelUrl).origin, toolUrl].map(poolOf) as [
    Pool,
    Pool,
    Pool,
  ]
  const headers = { 'content-type': 'application/json' }
  const asked = JSON.stringify({
    model: 'bench-model',
    stream: true,
    messages: [{ role: 'user', content: 'Go.' }],
  })
  const bareStep = async () => {
    const called = await models.request({
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
      body: asked,
    })
    await called.body.text()
    const looked = await lookups.request({ method: 'GET', path: '/steps/1' })
    await looked.body.text()
  }
  const run = async () => {
    const { statusCode, body } = await runs.request({
      method: 'POST',
      path: troupe.runPath,
      headers: troupe.headers,
      body: JSON.stringify({ message: 'Go.' }),
    })
    const text = await body.text()
    const calls = statusCode === 200 ? JSON.parse(text).metrics.inputTokens / 10 : null
    if (calls !== TOOL_STEPS + 1)
      throw new Error(`the agent did not follow its script: ${statusCode} ${text}`)
  }
  const pid = troupe.child.process.pid ?? 0
  // Warm-up: new code and first connections are slow.
  await repeat(run, 4, ROUND_MS)
  const rows: ToolLoopRow[] = []
  for (const callers of CALLERS) {
    const rounds: { bare: LoadResult; loop: LoadResult; used: number }[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const bare = await repeat(bareStep, callers, ROUND_MS / 2)
      const before = await processorMs(pid)
      const loop = await repeat(run, callers, ROUND_MS)
      rounds.push({ bare, loop, used: (await processorMs(pid)) - before })
    }
    const steps = rounds.map(({ loop }) => loop.p50 / (TOOL_STEPS + 1))
    rows.push({
      callers,
      bareStepMs: median(rounds.map(({ bare }) => bare.p50)),
      stepMs: median(steps),
      range: spread(steps),
      stepsPerSecond: median(rounds.map(({ loop }) => loop.requestsPerSecond * (TOOL_STEPS + 1))),
      processorMs: median(rounds.map(({ loop, used }) => used / (loop.requests * (TOOL_STEPS + 1)))),
    })
  }
  return rows
}
