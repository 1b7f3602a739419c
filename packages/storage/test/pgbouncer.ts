import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@troupe/test-kit/free-port'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync)

/** Whether this machine has PgBouncer; required in CI. */
export function hasPgbouncer(): boolean {
  const missing = 'Tests of poolers are skipped: this machine has no PgBouncer (Debian package pgbouncer).'
  if (PROGRAM) return true
  if (process.env.CI === 'true') throw new Error(missing)
  process.stderr.write(`\n*** ${missing} ***\n\n`)
  return false
}

/** A real PgBouncer in front of a server, as its documentation configures one. Disposing stops it. */
export async function startPgbouncer(
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<AsyncDisposable & { url: string }> {
  const target = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'troupe-pgbouncer-'))
  // PgBouncer refuses root, so root runs it as another user, who must read its files.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const options = {
    ...{ listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '' },
    ...{ auth_type: 'any', logfile: '', pidfile: '' },
    ...settings,
  }
  const database = `* = host=${target.hostname} port=${target.port} user=${target.username}`
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `[databases]\n${database}\n\n[pgbouncer]\n${lines.join('\n')}\n`)
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(PROGRAM ?? 'pgbouncer', [file], { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await listening(child)
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(child: ChildProcess): Promise<void> {
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const giveUpAt = Date.now() + 10_000
  while (!output.includes('process up')) {
    if (child.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`PgBouncer did not start: ${output}`)
    await pause(20)
  }
}
