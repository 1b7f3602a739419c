import { endLostRuns } from '@troupe/agents'
import type { Advance } from '@troupe/durable-work'
import { storageUnavailable } from '@troupe/http/respond-error'
import type { App } from '@troupe/http/server-types'
import { requireOpenableCredentials } from '@troupe/operations/llm-configurations/require-openable-credentials'
import { rotateCredentials } from '@troupe/operations/llm-configurations/rotate-credentials'
import { startTracing } from '@troupe/telemetry/tracing'
import { buildAdminServer, buildServer } from './build-server.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { type ListenAddress, listen, probeAddress } from './listen.ts'
import { buildVoiceInternal } from './voice-internal/build-voice-internal.ts'
import type { Context, Overrides } from './wiring/context.ts'
import { createContext } from './wiring/create-context.ts'

/**
 * Milliseconds for requests to finish once the process stops; then their connections are closed. The response to a long drain, such
 * as that of a ringing phone, still needs a moment after it.
 */
const CLOSE_MS = 25_000
const ANSWER_MS = 2_000

/** A running server. Disposing stops it in order: drains, no new connections, requests, then every part in reverse. */
export interface ServerProcess extends AsyncDisposable {
  context: Context
  app: App
}

/** Steps between listening and readiness: bundles, seeds. */
export type BootStep = (context: Context) => Promise<void>

/**
 * Boots in order: traces, parts (database first), listening, the given steps, readiness. It listens before
 * the steps, so that `/healthz` answers while `/readyz` is still 503.
 *
 * @throws ConfigError, ListenError, MissingKeyError, or any error of a part, after releasing everything that
 * was started
 */
export async function startServer(
  config: Config,
  secrets: Secrets,
  steps: readonly BootStep[] = [],
  overrides: Partial<Overrides> = {},
): Promise<ServerProcess> {
  await using resources = new AsyncDisposableStack()
  const addresses = listenAddresses(config)
  for (const address of addresses) await probeAddress(address)
  if (config.tracing) resources.use(await startTracing(config.tracing))
  const context = resources.use(await createContext(config, secrets, overrides))
  for (const warning of config.warnings) context.log.warn(warning)
  await requireOpenableCredentials(context)
  await recoverRuns(context)
  if (secrets.encryptionKeys.length > 1) await rotateStoredCredentials(context)
  const app = buildServer(context)
  const admin = config.adminPort === null ? null : buildAdminServer(context)
  // Closed last: voice workers report the ends of their sessions until then.
  resources.use(await listenForVoice(context))
  resources.defer(() => stopServing(context, app, admin))
  const [address, adminAddress] = addresses
  await listen(app, address)
  if (admin && adminAddress) await listen(admin, adminAddress)
  for (const step of steps) await step(context)
  await startWork(context)
  void reportFileStore(context)
  context.lifecycle.ready()
  const owned = resources.move()
  return { context, app, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Serves voice workers and webhooks of the media server on a separate address; null: voice is not configured. */
async function listenForVoice(context: Context): Promise<AsyncDisposable | null> {
  const { connected } = context.voice
  if (connected === null || !context.config.roles.has('api')) return null
  const internal = buildVoiceInternal(context, connected)
  await listen(internal, { ...connected.config.internal, variable: 'VOICE_INTERNAL_LISTEN' })
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = internal.close()
      internal.server.closeAllConnections()
      await closed
    },
  }
}

function listenAddresses({ listen: { host, port }, adminPort }: Config): [ListenAddress, ...ListenAddress[]] {
  const address: ListenAddress = { host, port, variable: 'PORT' }
  return adminPort === null ? [address] : [address, { host, port: adminPort, variable: 'TROUPE_ADMIN_PORT' }]
}

/**
 * Ends the runs of a killed process before any run can start here. On a database used by this process only,
 * every running row is lost; with replicas, only those with expired leases.
 */
async function recoverRuns({ database, log }: Context): Promise<void> {
  const { duties: stores, knowledge } = database
  const lost = await endLostRuns(stores.runs, { all: database.exclusive })
  if (lost > 0) log.warn({ lost }, 'ended runs that an earlier process left')
  if (!database.exclusive) return
  await knowledge.releaseAll()
  await stores.jobs.recover()
  await stores.workflowRuns.recover()
}

/** Starts accepting jobs, left-over ones first. An unavailable engine does not stop the boot. */
export async function startWork({
  engine,
  runs,
  workflows,
  scheduler,
  duties,
  storage,
  config,
}: Context): Promise<void> {
  const workers = { jobs: runs.worker, workflows: workflows.worker }
  // Queued runs wait on a full disk like new requests; otherwise their results would use up the reserve.
  const advance: Advance = (delivery) =>
    storage.full ? Promise.reject(storageUnavailable()) : workers[delivery.lane].advance(delivery)
  if (config.roles.has('worker')) await engine.start(advance)
  if (!config.roles.has('scheduler')) return
  duties.start()
  scheduler.start()
}

/** Warns early of a wrong key and of a folder that is not writable. Neither stops the boot: only uploads need them. */
async function reportFileStore({ files, forms, log }: Context): Promise<void> {
  const report = (err: unknown) => log.error({ err }, 'the file store cannot be used')
  await Promise.all([files.ping().catch(report), forms.incoming.prepare().catch(report)])
}

/** Re-encrypts values of older keys with the first key. On failure they stay readable. */
async function rotateStoredCredentials({ database, secretBox, configChanges, log }: Context): Promise<void> {
  const system = { kind: 'system', id: null, ip: null, requestId: null } as const
  try {
    const rotated = await rotateCredentials({ database, box: secretBox, configChanges }, system)
    if (rotated > 0) log.info({ rotated }, 'sealed credentials again with the current key')
  } catch (err) {
    log.error({ err }, 'credentials could not be sealed again; the older keys are still needed')
  }
}

/**
 * The port stays open while runs end, so that callers of new runs get 502 instead of a refused connection.
 * The admin server closes last: monitors see 503 until the end.
 */
async function stopServing(context: Context, app: App, admin: App | null): Promise<void> {
  context.lifecycle.beginDrain()
  const began = performance.now()
  const failures = await context.lifecycle.drain()
  const leftMs = Math.max(ANSWER_MS, CLOSE_MS - (performance.now() - began))
  const cut = setTimeout(() => app.server.closeAllConnections(), leftMs)
  // A kept-alive connection whose last request ends during the close would otherwise delay the process until
  // the timeout.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100)
  await app.close()
  clearTimeout(cut)
  clearInterval(idle)
  for (const err of failures) context.log.error({ err }, 'draining failed')
  await admin?.close()
}
