import { resolve } from 'node:path'
import { DEFAULT_LOOP_CEILING, MAX_LOOP_CEILING } from '@troupe/graph'
import type { LimitCeilings } from '@troupe/operations/limits/limit-ceilings'
import { weakSecretFault } from '@troupe/secrets'
import type { Env } from './env.ts'
import { type Exposure, readExposure } from './exposure.ts'
import { Problems } from './problems.ts'
import { type EngineConfig, readEngine } from './read-engine.ts'
import { type FilesConfig, readFiles } from './read-files.ts'
import { type Role, readRoles } from './read-roles.ts'
import { Values } from './read-values.ts'
import { readVoice, type VoiceConfig } from './read-voice.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** All settings that are fixed at boot and not secret. URLs with passwords are in `Secrets`. */
export interface Config {
  listen: { host: string; port: number }
  /** Public URL of this server, without a trailing slash. */
  publicUrl: string
  /** Reachability of the server, with its consequences. */
  exposure: Exposure
  /** Port of the operations surface; null: the same as the API. */
  adminPort: number | null
  /** Absolute path. */
  dataDirectory: string
  database: { kind: 'pglite'; directory: string } | { kind: 'postgres'; poolSize: number; replicas: boolean }
  rateLimits: { kind: 'memory' } | { kind: 'redis' }
  /** `name` is the path as configured. */
  bundle: { path: string; name: string } | null
  /** null: no mail server, so no e-mail is sent. */
  mail: { /** `Name <address>` or an address. */ from: string } | null
  engine: EngineConfig
  /** Upper bounds for the limits of organizations. */
  limitCeilings: LimitCeilings
  runs: {
    maxSeconds: number
    /** How long a job may wait for a worker, in seconds. */
    jobQueueSeconds: number
  }
  workflows: {
    /** Max iterations per activation of a Loop, 1 to 1000. */
    loopCeiling: number
    /** Max concurrent effects of a run. */
    parallelNodes: number
    /** How long a run may wait for a worker, in seconds. */
    queueSeconds: number
  }
  files: FilesConfig
  forms: { /** Max size of an uploaded file. */ maxFileBytes: number }
  /** null: voice endpoints answer 503. */
  voice: VoiceConfig | null
  roles: ReadonlySet<Role>
  /** Seconds between SIGTERM and the stop, in which a load balancer can notice. */
  drainSeconds: number
  log: { level: (typeof LOG_LEVELS)[number] }
  /** null: no traces. The exporter reads the other standard OTEL_* variables itself. */
  tracing: { /** OTLP endpoint for traces over HTTP. */ endpoint: string } | null
  /** Warnings for the log: adjusted values that do not prevent the start. */
  warnings: readonly string[]
}

/** Connections of the PostgreSQL pool; a run needs two short ones. */
const POOL_SIZE = 20
/** A server that only this machine reaches has no load balancer, so a short drain is enough. */
const DRAIN_SECONDS_ALONE = 1
const DRAIN_SECONDS = 5
const SHORTEST_LOCAL_TOKEN = 8

/**
 * Parses and validates the environment.
 *
 * @throws ConfigError with every problem, not only the first
 */
export function readConfig(env: Env): Config {
  const problems = new Problems()
  const warnings: string[] = []
  const values = new Values(env, problems)
  for (const problem of env.problems) problems.add(problem)
  for (const { name, feature } of env.absent) {
    problems.add(`${name} is set, but this version does not have ${feature}. Remove the variable.`)
  }

  const host = values.text('HOST') ?? '127.0.0.1'
  const port = values.integer('PORT', { min: 0, max: 65_535 }) ?? 3000
  const adminPort = values.integer('TROUPE_ADMIN_PORT', { min: 1, max: 65_535 })
  if (adminPort !== null && adminPort === port) {
    problems.add('TROUPE_ADMIN_PORT must differ from PORT. Leave it out to use one port.')
  }
  const dataDirectory = resolve(values.text('TROUPE_DATA_DIR') ?? '.troupe')
  const bundle = values.text('TROUPE_BUNDLE')
  const databaseUrl = readDatabaseUrl(values, problems)
  const redisUrl = values.url('REDIS_URL', ['redis', 'rediss'])
  // Several processes may share a database only when they also share their rate limits and their engine.
  const replicas = databaseUrl !== null && redisUrl !== null && values.text('RESTATE_INGRESS_URL') !== null
  const roles = readRoles(values, { replicas }, problems)
  const exposure = readExposure(values, { host, port, adminPort }, problems)
  const { isLocalOnly } = exposure
  warnings.push(...exposure.warnings)
  checkAdminToken(values, isLocalOnly, problems)
  checkSetupToken(values, isLocalOnly, problems)

  const config: Config = {
    listen: { host, port },
    publicUrl: exposure.publicUrl,
    exposure,
    adminPort,
    dataDirectory,
    database: databaseUrl
      ? { kind: 'postgres', poolSize: POOL_SIZE, replicas }
      : { kind: 'pglite', directory: resolve(dataDirectory, 'database') },
    rateLimits: redisUrl ? { kind: 'redis' } : { kind: 'memory' },
    bundle: bundle ? { path: resolve(bundle), name: bundle } : null,
    mail: readMail(values, problems),
    limitCeilings: {
      rpm: values.integer('TROUPE_MAX_ORGANIZATION_RPM', { min: 1, max: 1_000_000_000 }),
      concurrentRuns: values.integer('TROUPE_MAX_ORGANIZATION_RUNS', { min: 1, max: 1_000_000_000 }),
    },
    engine: readEngine(values, { roles, ports: [port, adminPort] }, problems),
    runs: {
      maxSeconds: values.integer('TROUPE_RUN_MAX_SECONDS', { min: 5, max: 86_400 }) ?? 900,
      jobQueueSeconds: values.integer('TROUPE_JOB_QUEUE_SECONDS', { min: 10, max: 86_400 }) ?? 3600,
    },
    workflows: {
      loopCeiling: readLoopCeiling(values, warnings),
      parallelNodes: values.integer('TROUPE_WORKFLOW_PARALLEL_NODES', { min: 1, max: 100 }) ?? 10,
      queueSeconds: values.integer('TROUPE_WORKFLOW_QUEUE_SECONDS', { min: 10, max: 86_400 }) ?? 900,
    },
    files: readFiles(values, resolve(dataDirectory, 'files'), problems),
    forms: {
      maxFileBytes: (values.integer('TROUPE_FORM_UPLOAD_MAX_MB', { min: 1, max: 1024 }) ?? 16) * 1024 * 1024,
    },
    voice: readVoice(values, { isLocalOnly, ports: [port, adminPort] }, problems),
    roles,
    drainSeconds:
      values.integer('TROUPE_DRAIN_SECONDS', { min: 0, max: 300 }) ??
      (isLocalOnly ? DRAIN_SECONDS_ALONE : DRAIN_SECONDS),
    log: { level: values.choice('LOG_LEVEL', LOG_LEVELS) ?? 'info' },
    tracing: readTracing(values),
    warnings,
  }
  if (replicas && config.files.kind === 'disk') {
    warnings.push(
      'Several processes may run, but each keeps uploaded files in its own data folder; see S3_ENDPOINT.',
    )
  }
  problems.raise()
  return config
}

/** Per the contract: clamped to 1 to 1000; a value that is not an integer counts as absent. */
function readLoopCeiling(values: Values, warnings: string[]): number {
  const name = 'WORKFLOW_LOOP_ITERATION_CEILING'
  const text = values.text(name)
  if (text === null) return DEFAULT_LOOP_CEILING
  if (!/^[+-]?\d+$/.test(text)) {
    warnings.push(`${name} is not an integer; Loops stop after ${DEFAULT_LOOP_CEILING} iterations.`)
    return DEFAULT_LOOP_CEILING
  }
  const ceiling = Math.min(Math.max(Number(text), 1), MAX_LOOP_CEILING)
  if (ceiling !== Number(text)) {
    warnings.push(`${name} is not between 1 and ${MAX_LOOP_CEILING}; Loops stop after ${ceiling} iterations.`)
  }
  return ceiling
}

/** null: the embedded database. A socket is the `host` of the query: `postgres:///db?host=/run/postgresql`. */
function readDatabaseUrl(values: Values, problems: Problems): URL | null {
  const url = values.url('DATABASE_URL', ['postgres', 'postgresql'], { mayBeSocket: true })
  if (url?.searchParams.has('schema')) {
    problems.add(
      'DATABASE_URL has the option schema, which PostgreSQL does not know. Use options=-c%20search_path%3DNAME.',
    )
  }
  return url
}

/** The URL itself is a secret: it contains a password. */
function readMail(values: Values, problems: Problems): Config['mail'] {
  const url = values.url('SMTP_URL', ['smtp', 'smtps'])
  const from = values.text('TROUPE_MAIL_FROM')
  if (from !== null && !/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s,;]+@[^<>@\s,;]+)$/.test(from)) {
    problems.add('TROUPE_MAIL_FROM must be an e-mail address, or a name with the address in <>.')
  }
  if (!url) return null
  if (from === null) problems.add('SMTP_URL is set, but TROUPE_MAIL_FROM, the sender of e-mail, is not.')
  return { from: from ?? '' }
}

function readTracing(values: Values): Config['tracing'] {
  if (values.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null
  const http = ['http', 'https']
  const traces = values.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', http)
  if (traces) return { endpoint: traces.href }
  const base = values.url('OTEL_EXPORTER_OTLP_ENDPOINT', http)
  return base ? { endpoint: `${base.href.replace(/\/+$/, '')}/v1/traces` } : null
}

/** Valid only until the first sign-in; until then it makes its bearer the owner. */
function checkSetupToken(values: Values, isLocalOnly: boolean, problems: Problems): void {
  const token = values.text('TROUPE_SETUP_TOKEN')
  if (token === null) return
  const fault = isLocalOnly ? null : weakSecretFault(token)
  if (fault !== null) problems.add(`TROUPE_SETUP_TOKEN ${fault}.`)
  if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.add('TROUPE_SETUP_TOKEN must contain only printable ASCII characters and no spaces.')
  }
}

function checkAdminToken(values: Values, isLocalOnly: boolean, problems: Problems): void {
  const token = values.text('TROUPE_ADMIN_TOKEN')
  if (token === null) return
  // A correct token is never refused because of others' wrong ones, so only its strength prevents guessing.
  const fault = isLocalOnly ? null : weakSecretFault(token)
  if (token.length < SHORTEST_LOCAL_TOKEN) {
    problems.add(`TROUPE_ADMIN_TOKEN must have at least ${SHORTEST_LOCAL_TOKEN} characters.`)
  } else if (fault !== null) problems.add(`TROUPE_ADMIN_TOKEN ${fault}.`)
  if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.add('TROUPE_ADMIN_TOKEN must contain only printable ASCII characters and no spaces.')
  }
}
