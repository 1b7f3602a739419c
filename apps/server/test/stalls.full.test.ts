import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '@troupe/contract'
import { expect, test } from 'vitest'
import { type Program, startProgram } from './crash/program.ts'
import { sandboxBundle } from './crash/sandbox-bundle.ts'

const KEY = `stalls-${randomUUID()}`
const AGENT = randomUUID()
const BUNDLE = sandboxBundle({ key: KEY, agentId: AGENT })
const EVENTUALLY = { timeout: 30_000, interval: 1_000 }

/** Loaded before the program's own code: a signal blocks the event loop for 600 ms of CPU time. */
const SPIN = `process.on('SIGUSR2', () => {
  const from = process.cpuUsage()
  for (let used = 0; used < 600_000; ) {
    const { user, system } = process.cpuUsage(from)
    used = user + system
  }
})`

/** The log lines about stalls. */
function stalls(program: Program): JsonObject[] {
  return program
    .output()
    .split('\n')
    .filter((line) => line.includes('"the event loop '))
    .map((line): unknown => JSON.parse(line))
    .filter(isJsonObject)
}

/** The longest delay of the event loop since the last reading, in seconds. */
async function longestDelay({ origin }: Program): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1])
}

test('a blocked event loop is in the metrics, and in the log with its route and run', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-stalls-'))
  await using resources = new AsyncDisposableStack()
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const bundle = join(folder, 'bundle.yaml')
  await writeFile(bundle, JSON.stringify(BUNDLE))
  const program = resources.use(
    await startProgram(folder, {
      TROUPE_BUNDLE: bundle,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(SPIN)}`,
    }),
  )
  const ended = new AbortController()
  const { headers } = await fetch(`${program.origin}/api/v1/agents/${AGENT}/run-stream`, {
    method: 'POST',
    signal: ended.signal,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Think. [[delay: 60000]]' }),
  })
  // Stalls of the first seconds belong to the boot and are not logged.
  await expect
    .poll(() => {
      process.kill(program.pid, 'SIGUSR2')
      return stalls(program).length
    }, EVENTUALLY)
    .toBeGreaterThan(0)
  process.kill(program.pid, 'SIGUSR2')
  expect(await longestDelay(program)).toBeGreaterThan(0.2)
  const [line] = stalls(program)
  expect(line).toMatchObject({
    msg: expect.stringMatching(/^the event loop (was blocked|waited for the machine)$/),
    routes: ['POST /api/v1/agents/:agentId/run-stream'],
    runs: [headers.get('x-run-id')],
  })
  expect(line?.stallMs).toBeGreaterThan(200)
  expect(line?.cpuMs).toBeGreaterThan(200)
  ended.abort()
})
