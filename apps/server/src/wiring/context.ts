import type { ChatModels, Clock, EmbeddingModels } from '@troupe/agents/ports'
import type { NewId } from '@troupe/contract'
import type { TextExtractor } from '@troupe/documents'
import type { DutyRunner, RunEngine } from '@troupe/durable-work'
import type { FileStore } from '@troupe/file-stores'
import type { HeavyWork } from '@troupe/heavy-work'
import type { OperatorToken } from '@troupe/http/operator-token'
import type { SlowUploads } from '@troupe/http/slow-uploads'
import type { Livekit } from '@troupe/livekit'
import type { Mailer } from '@troupe/mail'
import type { ApiKeyCache } from '@troupe/operations/access/api-key-cache'
import type { ToolSourceCheck } from '@troupe/operations/agents/source-check'
import type { CachedAgentCatalog } from '@troupe/operations/catalog/cached-agent-catalog'
import type { ConfigChanges } from '@troupe/operations/catalog/config-changes'
import type { StoredCredentials } from '@troupe/operations/credentials/stored-credentials'
import type { Scheduler } from '@troupe/operations/schedules/scheduler'
import type { AgentVoices } from '@troupe/operations/voice-configurations/agent-voices'
import type { PasswordResets } from '@troupe/people/password-resets'
import type { People } from '@troupe/people/people'
import type { SignIns } from '@troupe/people/sign-ins'
import type { Guard, ProxySigns, RateLimiter } from '@troupe/rate-limits'
import type { GuardedFetch } from '@troupe/safe-fetch'
import type { Passwords, SecretBox } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import type { Lifecycle } from '@troupe/telemetry/lifecycle'
import type { Metrics } from '@troupe/telemetry/metrics'
import type { StallLog } from '@troupe/telemetry/stall-log'
import type { StorageWatch } from '@troupe/telemetry/storage-watch'
import type { McpDirectory } from '@troupe/tools'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { QuietClock } from '../upkeep/quiet-clock.ts'
import type { Calls } from './create-calls.ts'
import type { Forms } from './create-forms.ts'
import type { Knowledge } from './create-knowledge.ts'
import type { Reviews } from './create-reviews.ts'
import type { Runs } from './create-runs.ts'
import type { Voice } from './create-voice.ts'
import type { Webhooks } from './create-webhooks.ts'
import type { Workflows } from './create-workflows.ts'

/** Parts that tests may inject. The caller owns them: disposing the context leaves them open. */
export interface Overrides {
  clock: Clock
  newId: NewId
  log: Logger
  database: Database
  rateLimiter: RateLimiter
  outgoing: GuardedFetch
  files: FileStore
  textExtractor: TextExtractor
  chatModels: ChatModels
  embeddings: EmbeddingModels
  engine: RunEngine
  passwords: Passwords
  people: People
  mailer: Mailer
  slowUploads: SlowUploads
  /** Replaces the configured media server, if voice is configured. */
  livekit: Livekit
}

/** Every part of the process. Routes receive single parts of it, never the complete context. */
export interface Context extends Omit<Overrides, 'livekit'>, AsyncDisposable {
  config: Config
  lifecycle: Lifecycle
  metrics: Metrics
  stalls: StallLog
  quiet: QuietClock
  storage: StorageWatch
  secretBox: SecretBox
  operator: OperatorToken
  /** Tokens that create the first owner at /setup. */
  setupTokens: readonly OperatorToken[]
  /** Tokens that read the metrics, if those need a token. */
  metricsReaders: readonly OperatorToken[]
  /** Whether an unconfigured proxy is in front of the server. */
  proxySigns: ProxySigns
  apiKeys: ApiKeyCache
  /** Rate limits of the entry points without a key. */
  guard: Guard
  catalog: CachedAgentCatalog
  configChanges: ConfigChanges
  /** Schedules work that is too heavy for the event loop, such as scripts and documents. */
  heavy: HeavyWork
  /** Checks scripts and documents of tools. */
  toolSources: ToolSourceCheck
  runs: Runs
  reviews: Reviews
  workflows: Workflows
  scheduler: Scheduler
  webhooks: Webhooks
  forms: Forms
  knowledge: Knowledge
  /** The tools of MCP servers. */
  mcpDirectory: McpDirectory
  voice: Voice
  /** Voice settings of agents, with the keys of their providers. */
  voices: AgentVoices
  /** Outbound calls. */
  calls: Calls
  /** Secrets of tools and of speech providers. */
  credentials: StoredCredentials
  signIns: SignIns
  passwordResets: PasswordResets
  /** All periodic duties. */
  duties: DutyRunner
}
