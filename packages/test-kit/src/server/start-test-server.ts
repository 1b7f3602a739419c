import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type App,
  buildServer,
  type Context,
  createContext,
  createLogger,
  type Overrides,
  type RouteAccess,
  readConfig,
  readEnv,
  readVoiceSecrets,
  type Secrets,
  startWork,
} from '@troupe/server'
import { type Seed, seedDatabase } from './seed.ts'
import { openTestDatabase } from './test-database.ts'
import { TEST_PASSWORDS } from './test-passwords.ts'

/** The options of a test server. */
export interface TestServerOptions {
  /** Parts that replace real ones; the caller owns them. */
  overrides?: Partial<Overrides>
  /** Environment variables in addition to the test defaults. */
  env?: Record<string, string>
  /** Requests per window of both organizations; practically unlimited by default. */
  organizationRpm?: number
  /** The key that seals secrets, 32 bytes; random by default. For servers that share a database. */
  encryptionKey?: Buffer
}

/** The response to a {@link TestServer.call}. */
export interface TestAnswer {
  status: number
  headers: Record<string, string | undefined>
  /** The parsed body; a string when it is not JSON. */
  body: unknown
}

/** One request. A plain object as `body` is sent as JSON; a string is sent unchanged. */
export interface TestRequest {
  key?: string | null
  headers?: Record<string, string>
  body?: object | string
}

/** A registered route. */
export interface RegisteredRoute {
  method: string
  /** With `:name` parameters. */
  url: string
  access: RouteAccess
  /** null: a page, or an operations endpoint. */
  operationId: string | null
}

/** A complete Troupe in this process, on a private database, without a port. */
export interface TestServer extends AsyncDisposable {
  app: App
  context: Context
  seed: Seed
  adminToken: string
  /** Every registered route except those that respond with 405. */
  routes: readonly RegisteredRoute[]
  /**
   * Sends `GET /api/v1/agents` and the like without a socket. Uses the organization's key by default; null:
   * none.
   */
  call(target: string, request?: TestRequest): Promise<TestAnswer>
}

/** Starts a test server: PGlite in memory, or PostgreSQL with `TROUPE_TEST_DATABASE=postgres`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  await using resources = new AsyncDisposableStack()
  const overrides = options.overrides ?? {}
  const database = overrides.database ?? resources.use(await openTestDatabase()).database
  const adminToken = randomBytes(24).toString('base64url')
  const folder = await mkdtemp(join(tmpdir(), 'troupe-test-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const env = { LOG_LEVEL: 'silent', TROUPE_DATA_DIR: folder, ...options.env }
  const given = readEnv(env)
  const config = readConfig(given)
  const secrets: Secrets = {
    encryptionKeys: [{ id: 'test', key: options.encryptionKey ?? randomBytes(32) }],
    adminToken,
    metricsToken: given.values.TROUPE_METRICS_TOKEN,
    setupToken: given.values.TROUPE_SETUP_TOKEN,
    databaseUrl: null,
    redisUrl: null,
    smtpUrl: null,
    s3: null,
    voice: readVoiceSecrets(given),
  }
  const log = overrides.log ?? createLogger(config.log)
  const context = resources.use(
    await createContext(config, secrets, { passwords: TEST_PASSWORDS, ...overrides, log, database }),
  )
  const seed = await seedDatabase(database, options)
  const routes: RegisteredRoute[] = []
  const app = buildServer(context, ({ method, url, config }) => {
    if (config?.wrongMethod) return
    const access = config?.access ?? 'open'
    const operationId = config?.operation?.id ?? null
    for (const one of [method].flat()) routes.push({ method: one, url, access, operationId })
  })
  resources.defer(() => app.close())
  await app.ready()
  await startWork(context)
  context.lifecycle.ready()
  const owned = resources.move()
  return {
    app,
    context,
    seed,
    adminToken,
    routes,
    call: (target, request = {}) => send(app, target, { key: seed.keys.organization, ...request }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function send(app: App, target: string, { key, headers, body }: TestRequest): Promise<TestAnswer> {
  const [method = 'GET', url = '/'] = target.split(' ')
  const sent: Record<string, string> = {}
  if (key) sent['x-api-key'] = key
  if (body !== undefined) sent['content-type'] = 'application/json'
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...sent, ...headers },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return {
    status: response.statusCode,
    headers: response.headers as TestAnswer['headers'],
    body: parse(response.body),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
