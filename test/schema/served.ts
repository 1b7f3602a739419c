import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@troupe/test-kit/free-port'

const ROOT = join(import.meta.dirname, '..', '..')
const READY_MS = 90_000

/** Credentials of the served deployment's callers. */
export interface Credentials {
  organizationKey: string
  projectKey: string
  otherKey: string
  adminToken: string
  password: string
}

/** A running server with the bundle of the conformance run. */
export interface Served extends AsyncDisposable {
  url: string
  /** For files of the run; deleted with the server. */
  folder: string
  credentials: Credentials
  /** Every log line so far that reports a defect. */
  defects(): Promise<string[]>
}

/** Starts the program with a bundle, the embedded database and sandbox models, on a free port of 127.0.0.1. */
export async function serve(bundle = join(import.meta.dirname, 'bundle.yaml')): Promise<Served> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'troupe-schema-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const secret = () => randomBytes(24).toString('base64url')
  const credentials: Credentials = {
    organizationKey: secret(),
    projectKey: secret(),
    otherKey: secret(),
    adminToken: secret(),
    password: secret(),
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = join(folder, 'server.log')
  const output = createWriteStream(log)
  await once(output, 'open')
  const child = spawn(process.execPath, [join(ROOT, 'apps', 'server', 'src', 'main.js')], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      TROUPE_DATA_DIR: join(folder, 'data'),
      TROUPE_BUNDLE: bundle,
      TROUPE_PUBLIC_URL: url,
      TROUPE_ADMIN_TOKEN: credentials.adminToken,
      TROUPE_TRUSTED_PROXIES: '127.0.0.1',
      // A trusted proxy implies that others reach the server; the registered MCP server is this server itself.
      TROUPE_ALLOWED_NETWORKS: 'loopback',
      TROUPE_DRAIN_SECONDS: '0',
      ORGANIZATION_KEY: credentials.organizationKey,
      PROJECT_KEY: credentials.projectKey,
      OTHER_KEY: credentials.otherKey,
      SERVER_URL: url,
      MEMBER_PASSWORD: credentials.password,
    },
    stdio: ['ignore', output, output],
  })
  const exited = once(child, 'exit')
  resources.defer(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await exited
    clearTimeout(timer)
    output.close()
  })
  const until = Date.now() + READY_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      throw new Error(`the server did not start:\n${await readFile(log, 'utf8')}`)
    }
    await delay(100)
  }
  const owned = resources.move()
  return {
    url,
    folder,
    credentials,
    defects: async () => (await readFile(log, 'utf8')).split('\n').filter(isDefect),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The builder's API and its pages have no bindings of ids yet, so generated requests would reach nothing of them. */
const NOT_GENERATED = /^\/(?:api\/builder\/v1|start|setup|o|web)?(?:\/|$)/

/** A document, as the operator gets it, without excluded routes. */
export async function documentOf({ url, credentials }: Served, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${credentials.adminToken}` }
  const answer = await fetch(url + path, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  const document: { paths: Record<string, unknown> } = JSON.parse(await answer.text())
  const paths = Object.entries(document.paths).filter(([name]) => !NOT_GENERATED.test(name))
  return JSON.stringify({ ...document, paths: Object.fromEntries(paths) })
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => null)
  return answer?.ok === true
}

/** Log lines of pino from level 50, and all other output, such as a stack. */
function isDefect(line: string): boolean {
  const level = /"level":(\d+)/.exec(line)?.[1]
  if (level !== undefined) return Number(level) >= 50
  return /^\s+at |Error:/.test(line)
}
