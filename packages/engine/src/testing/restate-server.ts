import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@troupe/test-kit/free-port'
import { base58 } from './base58.ts'

const PATIENCE_MS = 30_000
const MISSING = 'Restate tests are skipped: `npm run install:restate` installs its server, once.'
/** 220 MB, so `npm ci` does not install it. */
const INSTALLED = join(import.meta.dirname, '../../../../tools/restate/node_modules/@restatedev')

/**
 * A Restate server for a test, with private ports and a private folder. Disposing stops it and deletes the
 * folder.
 */
export interface RestateServer extends AsyncDisposable {
  ingressUrl: string
  adminUrl: string
  /** The public key of the server, which signs every call to a worker. */
  identityKey: string
  /** Stops the server gracefully; its data is kept. */
  stop(): Promise<void>
  /** Kills the server, as a crash would. */
  kill(): Promise<void>
  /** Restarts the server on the same ports with its data. A running one is stopped first. */
  restart(): Promise<void>
}

/**
 * Starts a server and waits until it accepts deliveries, about half a second. Null, with a warning, when it is not
 * installed; in CI (`CI=true`) that throws instead.
 */
export async function startRestateServer(): Promise<RestateServer | null> {
  const program = serverProgram()
  if (!program) {
    if (process.env.CI === 'true') throw new Error(MISSING)
    process.stderr.write(`\n*** ${MISSING} ***\n\n`)
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), 'troupe-restate-'))
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()]
  const urls = { ingressUrl: `http://127.0.0.1:${ingress}`, adminUrl: `http://127.0.0.1:${admin}` }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyFile = join(folder, 'identity.pem')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const env = settings({ folder, keyFile, ingress, admin, node })
  const start = () => startProcess(program, folder, env, urls)
  let child = await start().catch((error) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  return {
    ...urls,
    identityKey: `publickeyv1_${base58(rawKey(publicKey))}`,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    async restart() {
      await end(child, 'SIGTERM')
      child = await start()
    },
    async [Symbol.asyncDispose]() {
      await end(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server binary: the package's wrapper swallows signals, and exits with 0 when its child was killed. */
function serverProgram(): string | null {
  const platform = `restate-server-${process.platform}-${process.arch}`
  const program = join(INSTALLED, platform, 'bin', 'restate-server')
  return existsSync(program) ? program : null
}

interface Place {
  folder: string
  keyFile: string
  ingress: number
  admin: number
  node: number
}

/** One small node on loopback: 130 MB instead of gigabytes, and no telemetry. */
function settings({ folder, keyFile, ingress, admin, node }: Place): Record<string, string> {
  return {
    RESTATE_DISABLE_TELEMETRY: 'true',
    SCARF_ANALYTICS: 'false',
    RESTATE_BASE_DIR: join(folder, 'data'),
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_IP: '127.0.0.1',
    RESTATE_BIND_PORT: String(node),
    RESTATE_ADVERTISED_HOST: '127.0.0.1',
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
    RESTATE_DEFAULT_NUM_PARTITIONS: '1',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '32 MiB',
    RESTATE_ADMIN__QUERY_ENGINE__MEMORY_SIZE: '16 MiB',
    RESTATE_BIFROST__RECORD_CACHE_MEMORY_SIZE: '1 MiB',
    RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: keyFile,
    RESTATE_LOG_FILTER: 'warn',
    RESTATE_LOG_DISABLE_ANSI_CODES: 'true',
  }
}

async function startProcess(
  program: string,
  folder: string,
  env: Record<string, string>,
  { ingressUrl, adminUrl }: { ingressUrl: string; adminUrl: string },
): Promise<ChildProcess> {
  const log = join(folder, 'server.log')
  const output = openSync(log, 'a')
  const child = spawn(program, ['--no-logo'], { cwd: folder, env, stdio: ['ignore', output, output] })
  // An aborted test run must not leave a server behind.
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  child.once('exit', () => process.off('exit', killAtExit))
  const giveUpAt = Date.now() + PATIENCE_MS
  while (!((await answers(`${ingressUrl}/restate/health`)) && (await answers(`${adminUrl}/health`)))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      await end(child, 'SIGKILL')
      throw new Error(`The Restate server did not start: ${readFileSync(log, 'utf8').slice(-4_000)}`)
    }
    await pause(20)
  }
  return child
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** The 32 bytes of an Ed25519 public key. */
function rawKey(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
}
