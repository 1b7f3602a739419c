import { spawn, spawnSync } from 'node:child_process'
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
  let stop = await run(port, folder)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => stop(),
    start: async () => {
      stop = await run(port, folder)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function run(port: number, folder: string): Promise<() => Promise<void>> {
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
  return async () => {
    child.kill('SIGKILL')
    await exited
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
