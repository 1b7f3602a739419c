import { join } from 'node:path'
import { createGuardrails } from '@troupe/agents'
import { systemClock } from '@troupe/agents/ports'
import { checkedId, type NewId } from '@troupe/contract'
import {
  createDocumentExtractor,
  createDocumentReader,
  createPlainTextExtractor,
  MAX_TEXT_LENGTH,
} from '@troupe/documents'
import { DutyRunner } from '@troupe/durable-work'
import { createHeavyWork } from '@troupe/heavy-work'
import { uuidV7 } from '@troupe/http/ids/uuid-v7'
import { OperatorToken } from '@troupe/http/operator-token'
import { SlowUploads } from '@troupe/http/slow-uploads'
import { folderMailer } from '@troupe/mail'
import { createChatModels, createEmbeddingModels, createRerankingModels } from '@troupe/models'
import { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import { ApiKeyUseFlush } from '@troupe/operations/access/api-key-use-flush'
import { KeyLookups } from '@troupe/operations/access/key-lookups'
import { StoredCredentials } from '@troupe/operations/credentials/stored-credentials'
import { DecisionLinks } from '@troupe/operations/decision-links/decision-links'
import { knowledgeSearch } from '@troupe/operations/knowledge/search/search-knowledge'
import { StoredMcpServers } from '@troupe/operations/mcp-servers/stored-mcp-servers'
import { failureReason } from '@troupe/operations/notices/failure-reason'
import { mailPasswordReset } from '@troupe/operations/passwords/issue-password-reset'
import { skillLibrary } from '@troupe/operations/skills/skill-library'
import { AgentVoices } from '@troupe/operations/voice-configurations/agent-voices'
import { createWorkflowTools } from '@troupe/operations/workflow-runs/workflow-tools'
import { cookieSecret } from '@troupe/people/cookie-secret'
import { createPeople } from '@troupe/people/create-people'
import { PasswordResets } from '@troupe/people/password-resets'
import { createMemoryLimiter, Guard, ProxySigns } from '@troupe/rate-limits'
import { createGuardedFetch } from '@troupe/safe-fetch'
import { createPasswords, SecretBox } from '@troupe/secrets'
import { CallMetrics } from '@troupe/telemetry/call-metrics'
import { Lifecycle } from '@troupe/telemetry/lifecycle'
import { createLogger } from '@troupe/telemetry/logger'
import { Metrics } from '@troupe/telemetry/metrics'
import { createRunTelemetry } from '@troupe/telemetry/run-telemetry'
import { StallLog } from '@troupe/telemetry/stall-log'
import { StorageWatch } from '@troupe/telemetry/storage-watch'
import {
  authorizeRequest,
  createCodeSandbox,
  createSourceCheck,
  createToolboxes,
  McpDirectory,
  withSandboxHost,
} from '@troupe/tools'
import { guardrailSecret } from '../access/guardrail-secret.ts'
import type { Config } from '../config/config.ts'
import { areNetworksWithdrawn, warningOfProxy } from '../config/exposure.ts'
import type { Secrets } from '../config/secrets.ts'
import { QuietClock } from '../upkeep/quiet-clock.ts'
import type { Context, Overrides } from './context.ts'
import { createMailer, createRateLimiter, openStorage } from './create-adapters.ts'
import { createCalls } from './create-calls.ts'
import { createCatalog } from './create-catalog.ts'
import { createEngine } from './create-engine.ts'
import { createFileStore } from './create-file-store.ts'
import { createForms } from './create-forms.ts'
import { createKnowledge, createPassageCache } from './create-knowledge.ts'
import { createReviews } from './create-reviews.ts'
import { createRuns } from './create-runs.ts'
import { createScheduler } from './create-scheduler.ts'
import { createVoice } from './create-voice.ts'
import { createWebhooks } from './create-webhooks.ts'
import { createWorkflows } from './create-workflows.ts'
import { periodicDuties } from './duties.ts'
import { toolContextBox } from './tool-context-box.ts'

/** Milliseconds for runs to finish after the process is asked to stop. Orchestrators kill after 30 s. */
const DRAIN_MS = 20_000

/** How long a boot may block the event loop without a line in the log, in milliseconds. */
const BOOT_MS = 10_000

/** The composition root: creates every part once, in dependency order; disposing releases them in reverse. */
export async function createContext(
  config: Config,
  secrets: Secrets,
  overrides: Partial<Overrides> = {},
): Promise<Context> {
  await using resources = new AsyncDisposableStack()
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLogger(config.log)
  const secretBox = new SecretBox(secrets.encryptionKeys)
  const lifecycle = new Lifecycle()
  const onBroken = (error: Error) => lifecycle.broken(error)
  const database = overrides.database ?? resources.use(await openStorage(config, secrets, { log, onBroken }))
  const storage = resources.use(
    new StorageWatch(config.database.kind === 'pglite' ? config.dataDirectory : null),
  )
  const rateLimiter = overrides.rateLimiter ?? resources.use(await createRateLimiter(secrets, log))
  const operator = new OperatorToken(secrets.adminToken)
  const { exposure } = config
  const proxySigns = new ProxySigns((header) => log.warn({ header }, warningOfProxy(exposure)))
  const outgoing =
    overrides.outgoing ??
    resources.use(
      createGuardedFetch({
        allowedNetworks: exposure.allowedNetworks,
        isWithdrawn: () => areNetworksWithdrawn(exposure, proxySigns.seen),
      }),
    )
  const keyLookups = resources.use(
    new KeyLookups({ read: database.read.apiKeys, limiter: resources.use(createMemoryLimiter()) }),
  )
  const apiKeys = resources.use(
    new ApiKeyCache({
      lookup: (hash, ip) => keyLookups.find(hash, ip),
      signals: database.signals,
      clock,
      rpmCeiling: config.limitCeilings.rpm,
    }),
  )
  resources.use(new ApiKeyUseFlush(apiKeys, database))
  const catalog = resources.use(createCatalog(database, secretBox, { clock, log }))
  const metrics = new Metrics()
  if (config.database.kind === 'pglite') metrics.watchDatabase(config.database.directory)
  const newId: NewId = overrides.newId ?? ((kind) => checkedId(kind, uuidV7(clock.now())))
  const chatModels = overrides.chatModels ?? createChatModels({ fetch: outgoing.fetch, clock })
  const credentials = new StoredCredentials({
    read: database.read,
    box: secretBox,
    onUnreadable: (credentialId, err) => log.error({ credentialId, err }, 'credential cannot be opened'),
  })
  const embeddings = overrides.embeddings ?? createEmbeddingModels({ fetch: outgoing.fetch, clock })
  const engine = overrides.engine ?? resources.use(createEngine(config, clock, log))
  const guardrails = createGuardrails({
    catalog,
    fetch: outgoing.fetch,
    clock,
    webhookSecret: (organizationId, url) => guardrailSecret(secrets.encryptionKeys, { organizationId, url }),
    authorize: (owner, id, request) => authorizeRequest(credentials, owner, id, request),
    onError: (type, err) =>
      log.warn({ type, reason: failureReason(err) }, 'a guardrail could not be checked'),
  })
  const heavy = resources.use(createHeavyWork())
  metrics.watchHeavyWork(() => heavy.load())
  const scripts = resources.use(createCodeSandbox({ heavy }))
  const workflowTools = createWorkflowTools({ database, clock, workflows: () => workflows })
  const approvalLinks = new DecisionLinks(secretBox, config.publicUrl, 'approval')
  const toolFetch = withSandboxHost(outgoing.fetch)
  const mcpDirectory = new McpDirectory({ clock, credentials, fetch: toolFetch })
  const passages = resources.use(await createPassageCache(database, log))
  const searching = { database, catalog, embeddings, passages }
  const runs = resources.use(
    createRuns({
      database,
      approvalLinks,
      catalog,
      chatModels,
      toolboxes: createToolboxes({
        clock,
        credentials,
        code: scripts,
        heavy,
        workflows: workflowTools,
        mcpServers: new StoredMcpServers(database),
        toolLists: mcpDirectory.lists,
        fetch: toolFetch,
        warn: ({ agent, run }, message) => log.warn({ agentId: agent.agentId, runId: run.runId }, message),
      }),
      toolContexts: toolContextBox(secretBox),
      guardrails,
      knowledge: knowledgeSearch(searching),
      reranking: createRerankingModels({ fetch: outgoing.fetch, clock }),
      skills: skillLibrary(database),
      engine,
      telemetry: createRunTelemetry(log, metrics),
      clock,
      newId,
      maxSeconds: config.runs.maxSeconds,
    }),
  )
  const stalls = resources.use(new StallLog({ log, runs: () => runs.active.runIds(), quietMs: BOOT_MS }))
  const mailbox = config.database.kind === 'pglite' ? join(config.dataDirectory, 'mail') : null
  const mailer = overrides.mailer ?? createMailer(config, secrets, log)
  const reviews = resources.use(
    createReviews({
      database,
      approvalLinks,
      secretBox,
      newId,
      mailer: mailer.sends || mailbox === null ? mailer : folderMailer(mailbox, () => clock.now()),
      outgoing,
      clock,
      log,
      publicUrl: config.publicUrl,
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
  const quiet = resources.use(new QuietClock(() => runs.active.size + workflows.active.size))
  const scheduler = resources.use(createScheduler({ database, workflows, storage, clock, newId, log }))
  const passwords = overrides.passwords ?? createPasswords(heavy)
  const { people, signIns } = createPeople({
    database,
    passwords,
    rateLimiter,
    proxies: exposure,
    publicUrl: config.publicUrl,
    hasPublicUrl: exposure.hasPublicUrl,
    secret: cookieSecret(secrets.encryptionKeys),
    newId,
    log,
  })
  const resetParts = { database, mailer, publicUrl: config.publicUrl, now: () => clock.now() }
  const passwordResets = resources.use(
    new PasswordResets({
      counter: rateLimiter,
      mail: mailer.sends ? (email) => mailPasswordReset(resetParts, email) : null,
      log,
    }),
  )
  const webhooks = resources.use(
    createWebhooks({
      database,
      secretBox,
      clock,
      newId,
      apiKeys,
      rateLimiter,
      rpmCeiling: config.limitCeilings.rpm,
      telemetry: runs.deps.telemetry,
      runner: workflows.runner,
      graphs: workflows.graphs,
    }),
  )
  const guard = new Guard(rateLimiter)
  const slowUploads = overrides.slowUploads ?? resources.use(new SlowUploads())
  const files = overrides.files ?? resources.use(createFileStore(config, secrets))
  const documents = resources.use(createDocumentReader({ heavy, maxCharacters: MAX_TEXT_LENGTH }))
  const textExtractor =
    overrides.textExtractor ??
    createDocumentExtractor({ reader: documents, plain: createPlainTextExtractor(), log })
  const forms = createForms({
    database,
    runner: workflows.runner,
    graphs: workflows.graphs,
    people: overrides.people ?? people,
    guard,
    passwords,
    clock,
    newId,
    encryptionKeys: secrets.encryptionKeys,
    publicUrl: config.publicUrl,
    files,
    extractor: textExtractor,
    incomingDirectory: join(config.dataDirectory, 'incoming'),
    maxFileBytes: config.forms.maxFileBytes,
  })
  const knowledge = resources.use(
    createKnowledge({
      ...searching,
      files,
      extractor: textExtractor,
      incoming: forms.incoming,
      fetch: outgoing.fetch,
      telemetry: runs.deps.telemetry,
      maxFileBytes: config.forms.maxFileBytes,
      ingests: config.roles.has('worker'),
    }),
  )
  const { livekit } = overrides
  const voices = new AgentVoices({ read: database.read, credentials })
  const callMetrics = new CallMetrics(metrics)
  const voice = resources.use(
    await createVoice(config.voice, secrets.voice, {
      database,
      clock,
      newId,
      log,
      speech: voices,
      results: callMetrics,
      livekit,
    }),
  )
  const calls = createCalls({ voice, database, secretBox, newId, log, metrics: callMetrics })
  const duties = resources.use(
    new DutyRunner(
      periodicDuties({
        config,
        database,
        clock,
        files,
        runs,
        workflows,
        reviews,
        forms,
        knowledge,
        quiet,
        storage,
        voice,
        calls,
      }),
      runs.deps.telemetry,
    ),
  )
  lifecycle.onDrain(() => scheduler[Symbol.asyncDispose]())
  lifecycle.onDrain(() => calls.desk.drain(calls.drainMs))
  // Concurrently: the engine waits for its deliveries, which end when their runs release their turn.
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
    stalls,
    quiet,
    storage,
    database,
    secretBox,
    operator,
    setupTokens: [operator, ...(secrets.setupToken === null ? [] : [new OperatorToken(secrets.setupToken)])],
    metricsReaders: [
      operator,
      ...(secrets.metricsToken === null ? [] : [new OperatorToken(secrets.metricsToken)]),
    ],
    proxySigns,
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
    embeddings,
    engine,
    heavy,
    toolSources: createSourceCheck(scripts, { heavy, fetch: outgoing.fetch }),
    runs,
    reviews,
    workflows,
    scheduler,
    webhooks,
    forms,
    knowledge,
    credentials,
    mcpDirectory,
    voice,
    voices,
    calls,
    passwords,
    people: overrides.people ?? people,
    mailer,
    signIns,
    passwordResets,
    slowUploads,
    duties,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
