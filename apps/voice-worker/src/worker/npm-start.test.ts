import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))
const PATIENCE = { timeout: 120_000 }
/** Longer than the tests wait for an immediate end. */
const DRAIN_S = 60

const started: number[] = []
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

/** `npm run start:voice-worker` without a media server, once the worker and its idle child run. */
async function startWorker(
  drainSeconds: number,
): Promise<{ npm: ChildProcess & { pid: number }; below: number[] }> {
  const port = await unusedPort()
  const npm = spawn('npm', ['run', 'start:voice-worker'], {
    cwd: REPOSITORY,
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      LIVEKIT_HTTP_URL: 'http://127.0.0.1:9',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret-of-thirty-two-characters-',
      VOICE_INTERNAL_URL: 'http://127.0.0.1:9',
      VOICE_INTERNAL_TOKEN: 'token-of-thirty-two-characters-1',
      VOICE_IDLE_PROCESSES: '1',
      VOICE_DRAIN_TIMEOUT_S: String(drainSeconds),
      VOICE_WORKER_PORT: String(port),
    },
  }) as ChildProcess & { pid: number }
  started.push(npm.pid)
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp, PATIENCE).toBe(true)
  await expect.poll(() => descendants(npm.pid).length, PATIENCE).toBeGreaterThan(1)
  const below = descendants(npm.pid)
  started.push(...below)
  return { npm, below }
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function descendants(pid: number): number[] {
  try {
    const next = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return next.map(Number).flatMap((child) => [child, ...descendants(child)])
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.for([
  ['SIGTERM', 'npm', 1],
  ['SIGINT', 'the process group', -1],
] as const)(
  '%s to %s ends the voice worker with exit code 0 and leaves no process',
  PATIENCE,
  async ([signal, , sign]) => {
    const { npm, below } = await startWorker(1)
    const exited = once(npm, 'exit')
    process.kill(sign * npm.pid, signal)
    expect(await exited).toEqual([0, null])
    await expect.poll(() => below.filter(isAlive), { timeout: 30_000 }).toEqual([])
  },
)

test('a killed npm leaves no voice worker, and a second Ctrl-C skips the drain', PATIENCE, async () => {
  const orphan = await startWorker(1)
  process.kill(orphan.npm.pid, 'SIGKILL')
  await expect.poll(() => orphan.below.filter(isAlive), { timeout: 30_000 }).toEqual([])
  const { npm, below } = await startWorker(DRAIN_S)
  const exited = once(npm, 'exit')
  process.kill(-npm.pid, 'SIGINT')
  // After npm has forwarded the first one.
  await new Promise((resolve) => setTimeout(resolve, 600))
  process.kill(-npm.pid, 'SIGINT')
  expect((await exited)[0]).not.toBe(0)
  await expect.poll(() => below.filter(isAlive), { timeout: 10_000 }).toEqual([])
})
