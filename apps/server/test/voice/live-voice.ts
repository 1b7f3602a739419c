import { setTimeout as pause } from 'node:timers/promises'
import { checkedId, propertyOf, VoiceSessionId, type VoiceSettings } from '@troupe/contract'
import { startBalancer } from '@troupe/engine/testing/balancer'
import {
  type MediaServerProcess,
  type MediaServers,
  startVoiceWorker,
  voiceEnvironment,
} from '@troupe/media-servers'
import type { MediaLevel } from '@troupe/media-servers/testing/media-level'
import { RoomCaller } from '@troupe/media-servers/testing/room-caller'
import type { Database } from '@troupe/storage'
import { freePort } from '@troupe/test-kit/free-port'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import type { VoiceSessionRecord } from '@troupe/voice'
import { expect } from 'vitest'
import { buildVoiceInternal } from '../../src/voice-internal/build-voice-internal.ts'
import { addVoice, INTERNAL_TOKEN } from './voice-setting.ts'

/** A server, a voice worker and real media servers; the organization's agent has a voice. */
export interface LiveVoice extends AsyncDisposable {
  server: TestServer
  media: MediaServers
  worker: MediaServerProcess
  /** Starts a session through the public API and joins its room. */
  join(): Promise<{ sessionId: string; caller: RoomCaller }>
  session(sessionId: string): Promise<VoiceSessionRecord>
  /** The stored transcript of a session. */
  transcript(sessionId: string): Promise<{ role: string; text: string }[]>
}

/** Differences from a server that is alone on an embedded database. */
export interface LiveServerOptions {
  env?: Record<string, string>
  /** Shared with others; its opener closes it. */
  database?: Database
  /** The key that seals secrets, 32 bytes. */
  encryptionKey?: Buffer
  /** Internal ports of servers beside it: workers and webhooks reach those that accept connections, in turn. */
  peers?: readonly number[]
  /** Whether the media server sends webhooks about rooms; true by default. */
  webhooks?: boolean
}

/** Everything runs on the clock of this machine. */
export async function openLiveVoice(
  level: MediaLevel,
  settings: VoiceSettings,
  { env: extraEnv = {}, database, encryptionKey, peers = [], webhooks = true }: LiveServerOptions = {},
): Promise<LiveVoice> {
  await using stack = new AsyncDisposableStack()
  const internalPort = await freePort()
  const balancer = stack.use(await startBalancer([internalPort, ...peers]))
  const webhookUrl = `${balancer.url}/internal/livekit/webhook`
  const media = stack.use(await level.startServers({ webhookUrl: webhooks ? webhookUrl : null }))
  const env = voiceEnvironment(media, { internalPort, internalToken: INTERNAL_TOKEN })
  const shared = {
    ...(database ? { overrides: { database } } : {}),
    ...(encryptionKey ? { encryptionKey } : {}),
  }
  const server = stack.use(await startTestServer({ env: { ...env, ...extraEnv }, ...shared }))
  const { connected } = server.context.voice
  if (connected === null) throw new Error('voice is not configured')
  const internal = buildVoiceInternal(server.context, connected)
  await internal.listen({ host: '127.0.0.1', port: internalPort })
  stack.defer(async () => {
    const closed = internal.close()
    // The media server keeps the connections of its webhooks.
    internal.server.closeAllConnections()
    await closed
  })
  const { organizationId, agents } = server.seed
  await addVoice(server, { organizationId, projectId: null, agentId: agents.organization }, settings)
  const worker = stack.use(await startVoiceWorker({ ...env, VOICE_INTERNAL_URL: balancer.url }))
  const stores = server.context.database.voice
  await registered(() => stores.workers.hasRoom(new Date(Date.now() - 10_000)), worker)

  async function session(sessionId: string): Promise<VoiceSessionRecord> {
    const found = await stores.sessions.locate(checkedId(VoiceSessionId, sessionId))
    if (found === null) throw new Error(`There is no session ${sessionId}`)
    return found
  }

  const owned = stack.move()
  return {
    server,
    media,
    worker,
    async join() {
      const answer = await server.call(`POST /api/v1/voice-agents/${agents.organization}/sessions`, {
        body: { participantIdentity: 'visitor' },
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      const caller = new RoomCaller()
      await caller.join(media.wsUrl, String(propertyOf(answer.body, 'token')))
      return { sessionId: String(propertyOf(answer.body, 'sessionId')), caller }
    },
    session,
    transcript: async (sessionId) => {
      const turns = await stores.turns.list(await session(sessionId))
      return turns.map(({ role, text }) => ({ role, text }))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const REGISTRATION_MS = 30_000

/** Waits until the server knows the worker, in a hook, where `expect.poll` is not allowed. */
async function registered(hasRoom: () => Promise<boolean>, worker: MediaServerProcess): Promise<void> {
  const giveUpAt = Date.now() + REGISTRATION_MS
  while (!(await hasRoom())) {
    if (Date.now() > giveUpAt)
      throw new Error(`The voice worker did not register: ${worker.log().slice(-4_000)}`)
    await pause(50)
  }
}
