import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { MediaBinaries } from '../binaries/ensure-binaries.ts'
import { livekitSettings } from './livekit-settings.ts'
import { answersOk, type MediaServerProcess, startMediaServerProcess } from './media-server-process.ts'
import { unusedPort } from './unused-ports.ts'

/** Media servers on free ports of 127.0.0.1. Disposing stops them all. */
export interface MediaServers extends AsyncDisposable {
  /** The API of the LiveKit server. */
  readonly httpUrl: string
  /** The address for callers. */
  readonly wsUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  /** The health page of the SIP bridge; null without calls. */
  readonly sipHealthUrl: string | null
  readonly redis: MediaServerProcess
  readonly livekit: MediaServerProcess
  readonly bridge: MediaServerProcess | null
  /** Deletes all stored data of LiveKit, including trunks. */
  flushRedis(): Promise<void>
}

export interface MediaServerOptions {
  binaries: MediaBinaries
  /** Receives every event of the server; null: no webhooks. */
  webhookUrl: string | null
  /** Whether the stand-in for the SIP bridge starts too. */
  withCalls: boolean
}

const API_KEY = 'devkey'
const API_SECRET = 'loopback-only-0123456789abcdef0123456789'

/** Starts Redis, LiveKit and, for calls, the SIP bridge's stand-in with its media leg, in about a second. */
export async function startMediaServers(options: MediaServerOptions): Promise<MediaServers> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'troupe-media-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const redisPort = await unusedPort()
  const redis = stack.use(await startRedisServer(redisPort, folder))
  const redisAddress = `127.0.0.1:${redisPort}`

  const httpPort = await unusedPort()
  const httpUrl = `http://127.0.0.1:${httpPort}`
  const configFile = join(folder, 'livekit.json')
  // JSON is YAML.
  const settings = livekitSettings({
    httpPort,
    mediaPort: await unusedPort(),
    redisAddress,
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    webhookUrl: options.webhookUrl,
  })
  await writeFile(configFile, JSON.stringify(settings), { mode: 0o600 })
  const livekit = stack.use(
    await startMediaServerProcess({
      name: 'livekit-server',
      program: options.binaries.livekitServer,
      args: ['--config', configFile],
      isUp: () => answersOk(httpUrl),
    }),
  )
  const wsUrl = `ws://127.0.0.1:${httpPort}`
  const calls = options.withCalls ? await startBridge(options.binaries.bridge, { redisAddress, wsUrl }) : null
  if (calls !== null) {
    stack.use(calls.leg)
    stack.use(calls.bridge)
  }
  const owned = stack.move()
  return {
    httpUrl,
    wsUrl,
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    sipHealthUrl: calls?.healthUrl ?? null,
    redis,
    livekit,
    bridge: calls?.bridge ?? null,
    flushRedis: () => withRedis(redisPort, (client) => client.flushall()),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function startRedisServer(port: number, folder: string): Promise<MediaServerProcess> {
  return startMediaServerProcess({
    name: 'redis-server',
    program: 'redis-server',
    args: [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ],
    isUp: () =>
      withRedis(port, (client) => client.ping()).then(
        () => true,
        () => false,
      ),
  })
}

async function withRedis(port: number, act: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null })
  // A failed connection is also reported to the caller of `connect`.
  client.on('error', () => {})
  try {
    await client.connect()
    await act(client)
  } finally {
    client.disconnect()
  }
}

async function startBridge(
  program: string,
  { redisAddress, wsUrl }: { redisAddress: string; wsUrl: string },
): Promise<{ leg: MediaServerProcess; bridge: MediaServerProcess; healthUrl: string }> {
  const healthPort = await unusedPort()
  const healthUrl = `http://127.0.0.1:${healthPort}`
  const legPort = await unusedPort()
  const legUrl = `http://127.0.0.1:${legPort}`
  const leg = await startMediaServerProcess({
    name: 'the media leg',
    program: process.execPath,
    args: [
      join(import.meta.dirname, '../media-leg/main.ts'),
      ...['--port', String(legPort), '--bridge-url', healthUrl],
      ...['--livekit-url', wsUrl, '--api-key', API_KEY, '--api-secret', API_SECRET],
    ],
    isUp: () => answersOk(legUrl),
  })
  try {
    const bridge = await startMediaServerProcess({
      name: 'the bridge stand-in',
      program,
      args: [
        ...['-sip-port', String(await unusedPort()), '-health-port', String(healthPort)],
        ...['-redis', redisAddress, '-leg', legUrl],
      ],
      isUp: () => answersOk(healthUrl),
    })
    return { leg, bridge, healthUrl }
  } catch (error) {
    await leg[Symbol.asyncDispose]()
    throw error
  }
}
