import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@troupe/test-kit/free-port'

/** A Redis server for a test. Disposing stops it. */
export interface RedisProcess extends AsyncDisposable {
  url: string
  /** Kills the server, as a crash would. */
  stop(): Promise<void>
  /** Lets the server keep its connections without answering. */
  pause(): void
  resume(): void
  /** Restarts the server on the same port, empty. */
  start(): Promise<void>
}

/** Starts a Redis server on a free port; null, with a warning, when this machine has none. */
export async function startRedis(): Promise<RedisProcess | null> {
  if (spawnSync('redis-server', ['--version']).error) {
    process.stderr.write('\n*** Redis tests are skipped: this machine has no redis-server. ***\n\n')
    return null
  }
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'troupe-redis-'))
  let running = await run(port, folder)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => running.stop(),
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    start: async () => {
      running = await run(port, folder)
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Running {
  child: ChildProcess
  stop(): Promise<void>
}

async function run(port: number, folder: string): Promise<Running> {
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ]
  const child = spawn('redis-server', options, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  for (let attempt = 0; !(await answers(port)); attempt += 1) {
    if (attempt > 200) throw new Error('redis-server did not start')
    await pause(25)
  }
  return {
    child,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
