import { join } from 'node:path'
import { type Database, openDatabase } from '@troupe/database'
import { createDocumentReader } from '@troupe/documents'
import { createChatModels } from '@troupe/models'
import type { ChatModels, RunEngine } from '@troupe/runtime/ports'
import type { Logger } from 'pino'
import { ApiKeyCache } from './access/api-key-cache.ts'
import { OperatorToken } from './access/operator-token.ts'
import { CachedAgentCatalog } from './catalog/cached-agent-catalog.ts'
import type { ConfigChanges } from './catalog/config-changes.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createFileStore } from './files/create-file-store.ts'
import { createDocumentExtractor } from './files/document-extractor.ts'
import type { FileStore } from './files/file-store.ts'
import { createPlainTextExtractor } from './files/plain-text-extractor.ts'
import { MAX_TEXT_LENGTH, type TextExtractor } from './files/text-extractor.ts'
import { createForms, type Forms } from './forms/create-forms.ts'
import { uuidV7 } from './ids/uuid-v7.ts'
import { Lifecycle } from './lifecycle.ts'
import { Guard } from './limits/guard.ts'
import { createMemoryLimiter } from './limits/memory-limiter.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import { createRedisLimiter } from './limits/redis-limiter.ts'
import { folderMailer } from './mail/folder-mailer.ts'
import type { Mailer } from './mail/mailer.ts'
import { noMailer } from './mail/no-mailer.ts'
import { smtpMailer } from './mail/smtp-mailer.ts'
import { createLogger } from './observability/logger.ts'
import { Metrics } from './observability/metrics.ts'
import { createRunTelemetry } from './observability/run-telemetry.ts'
import { createGuardedFetch, type GuardedFetch } from './outgoing/guarded-fetch.ts'
import { cookieSecret } from './people/cookie-secret.ts'
import { createPeople } from './people/create-people.ts'
import type { People } from './people/people.ts'
import type { SignIns } from './people/sign-ins.ts'
import { createReviews, type Reviews } from './reviews/create-reviews.ts'
import { createEngine } from './runs/create-engine.ts'
import { createRuns, type Runs } from './runs/create-runs.ts'
import { createScheduler } from './schedules/create-scheduler.ts'
import type { Scheduler } from './schedules/scheduler.ts'
import { SecretBox } from './secrets/secret-box.ts'
import { createWebhooks, type Webhooks } from './webhooks/create-webhooks.ts'
import { createWorkflows, type Workflows } from './workflows/create-workflows.ts'

/** What tests may hand in. Whoever hands a part in keeps it: disposing the context leaves it open. */
export interface Overrides {
  clock: Clock
  newId: () => string
  log: Logger
  database: Database
  rateLimiter: RateLimiter
  outgoing: GuardedFetch
  files: FileStore
  textExtractor: TextExtractor
  chatModels: ChatModels
  engine: RunEngine
  people: People
  mailer: Mailer
}

/** Everything that the process consists of. Routes take single parts of it, never the whole. */
export interface Context extends Overrides, AsyncDisposable {
  config: Config
  lifecycle: Lifecycle
  metrics: Metrics
  secretBox: SecretBox
  operator: OperatorToken
  apiKeys: ApiKeyCache
  /** Limits of the doors that need no key. */
  guard: Guard
  catalog: CachedAgentCatalog
  configChanges: ConfigChanges
  runs: Runs
  reviews: Reviews
  workflows: Workflows
  scheduler: Scheduler
  webhooks: Webhooks
  forms: Forms
  signIns: SignIns
}

/** How long runs may go on when the process is asked to stop, in milliseconds. Orchestrators kill after 30 s. */
const DRAIN_MS = 20_000

/** The composition root: creates every part once, in order; disposing releases them in reverse. */
export async function createContext(
  config: Config,
  secrets: Secrets,
  overrides: Partial<Overrides> = {},
): Promise<Context> {
  await using resources = new AsyncDisposableStack()
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLogger(config.log)
  const secretBox = new SecretBox(secrets.encryptionKeys)
  const database = overrides.database ?? resources.use(await open(config, secrets, log))
  const rateLimiter = overrides.rateLimiter ?? resources.use(createRateLimiter(secrets, log))
  const outgoing = overrides.outgoing ?? resources.use(createGuardedFetch(config.outgoing))
  const apiKeys = resources.use(
    new ApiKeyCache({
      lookup: (hash) => database.read.apiKeys.byHash(hash),
      signals: database.signals,
      clock,
    }),
  )
  const catalog = resources.use(
    new CachedAgentCatalog({
      source: {
        agent: (organizationId, id) => database.read.agents.byId(organizationId, id),
        agentVersion: (organizationId, id) => database.read.agents.versionById(organizationId, id),
        team: (organizationId, id) => database.read.teams.byId(organizationId, id),
        teamVersion: (organizationId, id) => database.read.teams.versionById(organizationId, id),
        llmConfigurations: (organizationId) =>
          database.read.llmConfigurations.visible({ organizationId, projectId: null }),
      },
      box: secretBox,
      signals: database.signals,
      clock,
      onUnreadable: (llmConfigId, err) => log.error({ llmConfigId, err }, 'credentials cannot be opened'),
    }),
  )
  const metrics = new Metrics()
  const newId = overrides.newId ?? (() => uuidV7(clock.now()))
  const chatModels = overrides.chatModels ?? createChatModels({ fetch: outgoing.fetch })
  const engine = overrides.engine ?? resources.use(createEngine(config, clock, log))
  const runs = resources.use(
    createRuns({
      database,
      catalog,
      chatModels,
      engine,
      telemetry: createRunTelemetry(log, metrics),
      clock,
      newId,
      maxSeconds: config.runs.maxSeconds,
      jobQueueSeconds: config.runs.jobQueueSeconds,
    }),
  )
  const mailbox = config.database.kind === 'pglite' ? join(config.dataDirectory, 'mail') : null
  const mailer = overrides.mailer ?? createMailer(config, secrets, log)
  const reviews = resources.use(
    createReviews({
      database,
      secretBox,
      newId,
      mailer: mailer.sends || mailbox === null ? mailer : folderMailer(mailbox, () => clock.now()),
      outgoing,
      clock,
      log,
      publicUrl: config.publicUrl,
      sweeper: runs.sweeper,
    }),
  )
  const workflows = resources.use(
    createWorkflows({
      database,
      runs,
      reviews: reviews.ofRuns,
      config: config.workflows,
      executesInline: config.engine.kind === 'local' && config.roles.has('worker'),
    }),
  )
  const scheduler = resources.use(
    createScheduler({ database, workflows, sweeper: runs.sweeper, clock, newId, log }),
  )
  const { people, signIns } = createPeople({
    database,
    rateLimiter,
    publicUrl: config.publicUrl,
    secret: cookieSecret(secrets.encryptionKeys),
    newId,
    log,
    clock,
    sweeper: runs.sweeper,
  })
  const webhooks = resources.use(
    createWebhooks({
      database,
      secretBox,
      clock,
      newId,
      apiKeys,
      rateLimiter,
      telemetry: runs.deps.telemetry,
      runner: workflows.runner,
      graphs: workflows.graphs,
      sweeper: runs.sweeper,
    }),
  )
  const guard = new Guard(rateLimiter)
  const files = overrides.files ?? resources.use(createFileStore(config, secrets))
  const documents = resources.use(createDocumentReader({ maxCharacters: MAX_TEXT_LENGTH }))
  const textExtractor =
    overrides.textExtractor ??
    createDocumentExtractor({ reader: documents, plain: createPlainTextExtractor(), log })
  const forms = createForms({
    database,
    runner: workflows.runner,
    graphs: workflows.graphs,
    people: overrides.people ?? people,
    guard,
    clock,
    encryptionKeys: secrets.encryptionKeys,
    publicUrl: config.publicUrl,
    files,
    extractor: textExtractor,
    incomingDirectory: join(config.dataDirectory, 'incoming'),
    maxFileBytes: config.forms.maxFileBytes,
    sweeper: runs.sweeper,
  })
  const lifecycle = new Lifecycle()
  lifecycle.onDrain(() => scheduler[Symbol.asyncDispose]())
  // Both at once: the engine waits for its deliveries, which end when their runs give up their turn.
  lifecycle.onDrain(() => runs.active.drain(DRAIN_MS))
  lifecycle.onDrain(() => workflows.active.drain(DRAIN_MS))
  lifecycle.onDrain(() => engine.drain())
  const owned = resources.move()
  return {
    config,
    clock,
    newId,
    log,
    lifecycle,
    metrics,
    database,
    secretBox,
    operator: new OperatorToken(secrets.adminToken),
    apiKeys,
    rateLimiter,
    guard,
    catalog,
    configChanges: {
      committed(organizationId) {
        catalog.forget(organizationId)
        apiKeys.forgetOrganization(organizationId)
      },
    },
    outgoing,
    files,
    textExtractor,
    chatModels,
    engine,
    runs,
    reviews,
    workflows,
    scheduler,
    webhooks,
    forms,
    people: overrides.people ?? people,
    mailer,
    signIns,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function open(config: Config, secrets: Secrets, log: Logger): Promise<Database> {
  if (config.database.kind === 'pglite') {
    return openDatabase({ ...config.database, notice: (text) => log.info(text) })
  }
  const { poolSize, replicas } = config.database
  return openDatabase({ kind: 'postgres', url: secrets.databaseUrl ?? '', poolSize, replicas })
}

function createMailer({ mail }: Config, { smtpUrl }: Secrets, log: Logger): Mailer {
  return mail === null || smtpUrl === null ? noMailer(log) : smtpMailer(smtpUrl, mail.from)
}

function createRateLimiter({ redisUrl }: Secrets, log: Logger): RateLimiter {
  if (redisUrl === null) return createMemoryLimiter()
  return createRedisLimiter(redisUrl, { warn: (text) => log.warn(text), info: (text) => log.info(text) })
}
