import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { serverAccount } from './account.ts'

const START_PATIENCE_MS = 20_000

/** Test settings: no durability, many connections, no autovacuum. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  max_wal_size: '1GB',
  autovacuum: 'off',
  log_min_messages: 'fatal',
  timezone: 'UTC',
}

/** A running PostgreSQL server with a private data folder. Disposing stops it and deletes the folder. */
export interface Cluster extends AsyncDisposable {
  /** Connection URL of the maintenance database, as superuser. */
  url: string
  /** Kills the server, as a crash would. */
  stop(): Promise<void>
  /** Starts a stopped server on the same port. */
  start(): Promise<void>
}

/** Starts a server on a free port of 127.0.0.1 with the programs in `binaries`. */
export async function startCluster(binaries: string): Promise<Cluster> {
  const account = serverAccount()
  const folder = mkdtempSync(join(tmpdir(), 'troupe-postgres-'))
  if (account) chownSync(folder, account.uid, account.gid)
  const asAccount = { ...account, cwd: folder }
  const data = join(folder, 'data')
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...asAccount, encoding: 'utf8' },
  )
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`initdb failed: ${made.stderr || made.error}`)
  }
  const port = await freePort()
  let server = await startServer(join(binaries, 'postgres'), data, port, asAccount).catch((error) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.stop('SIGQUIT'),
    async start() {
      server = await startServer(join(binaries, 'postgres'), data, port, asAccount)
    },
    async [Symbol.asyncDispose]() {
      await server.stop('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startServer(program: string, data: string, port: number, options: { cwd: string }) {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const address = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const child = spawn(program, ['-D', data, '-p', String(port), ...address, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000)
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  const giveUpAt = Date.now() + START_PATIENCE_MS
  while (!isReady(data, child.pid)) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await stop('SIGQUIT')
      throw new Error(`The PostgreSQL server did not start: ${output}`)
    }
    await pause(20)
  }
  return { stop }
}

/** The server writes its state to its pid file; a file left by a crashed server names another pid. */
function isReady(data: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}
