import { randomUUID } from 'node:crypto'
import { TestClock } from '@troupe/agents/testing/test-clock'
import {
  AgentId,
  ApiKeyId,
  checkedId,
  newId,
  type OrganizationId,
  type ProjectId,
  VoiceConfigurationId,
  VoiceSessionId,
  type VoiceSettings,
} from '@troupe/contract'
import type { App } from '@troupe/http/server-types'
import { signWebhook } from '@troupe/livekit/testing/sign-webhook'
import { startTwirpDouble, type TwirpDouble } from '@troupe/livekit/testing/twirp-double'
import { hashApiKeySecret, mintApiKeySecret } from '@troupe/secrets'
import { agentRecord } from '@troupe/test-kit/agent-record'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import type { VoiceSessionRecord } from '@troupe/voice'
import { buildVoiceInternal } from '../../src/voice-internal/build-voice-internal.ts'
import type { ConnectedVoice } from '../../src/wiring/create-voice.ts'

export const PUBLIC_WS_URL = 'wss://media.example.test'
export const INTERNAL_TOKEN = 'a-random-token-of-voice-workers-7f3c91'

/** A server with voice over a media server. */
export interface MediaSetting extends AsyncDisposable {
  server: TestServer
  clock: TestClock
  connected: ConnectedVoice
  /** The listener for workers and webhooks. */
  internal: App
  /** Starts a session; the organization's agent and key unless others are named. */
  start(request?: { agentId?: string; key?: string; body?: object }): Promise<TestAnswer>
  /** A heartbeat of the only worker, now. */
  beat(changes?: Partial<{ capacity: number; draining: boolean; sessionIds: string[] }>): Promise<void>
  session(sessionId: string): Promise<VoiceSessionRecord>
  /** The secret of a new key of the organization or one of its projects. */
  newKey(changes?: { projectId?: ProjectId }): Promise<string>
  keyId(secret: string): Promise<ApiKeyId>
  /** An agent of the organization without a voice. */
  newAgent(): Promise<AgentId>
  /** Performs a round of the duties of voice. */
  perform(round: 'voiceSessions' | 'voiceWorkers'): Promise<void>
  /** Milliseconds pass in which lost workers are looked for every two seconds, as a running server does. */
  watch(ms: number): Promise<void>
}

/** A server with voice over a double of the media server. */
export interface VoiceSetting extends MediaSetting {
  double: TwirpDouble
  /** Sends a signed webhook and waits until it is applied. */
  webhook(event: Record<string, unknown>): Promise<number>
}

/** Opens a server with voice, a worker and a voice configuration for each seeded agent. */
export async function openVoice(env: Record<string, string> = {}): Promise<VoiceSetting> {
  await using resources = new AsyncDisposableStack()
  const double = resources.use(await startTwirpDouble())
  const setting = resources.use(await openVoiceOver(double, env))
  const { internal, connected } = setting
  const owned = resources.move()
  return {
    ...setting,
    double,
    async webhook(event) {
      const { rawBody, authorization } = await signWebhook(double, { id: `EV_${randomUUID()}`, ...event })
      const headers = { authorization, 'content-type': 'application/webhook+json' }
      const url = '/internal/livekit/webhook'
      const { statusCode } = await internal.inject({ method: 'POST', url, headers, payload: rawBody })
      await connected.events.settled()
      return statusCode
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The same over any media server, whose webhooks arrive at `internal`; the server's clock is stopped. */
export async function openVoiceOver(
  media: Pick<TwirpDouble, 'httpUrl' | 'apiKey' | 'apiSecret'>,
  env: Record<string, string> = {},
): Promise<MediaSetting> {
  await using resources = new AsyncDisposableStack()
  const clock = new TestClock({ speed: 0 })
  const server = resources.use(
    await startTestServer({ overrides: { clock }, env: { ...voiceEnv(media), ...env } }),
  )
  const { connected } = server.context.voice
  if (connected === null) throw new Error('voice is not configured')
  const internal = buildVoiceInternal(server.context, connected)
  resources.defer(async () => {
    const closed = internal.close()
    // The media server keeps the connections of its webhooks.
    internal.server.closeAllConnections()
    await closed
  })
  // Tests perform the rounds themselves.
  server.context.duties[Symbol.dispose]()
  const { organizationId, projectId, agents } = server.seed
  await addVoice(server, { organizationId, projectId: null, agentId: agents.organization })
  await addVoice(server, { organizationId, projectId, agentId: agents.project })
  const { voice } = server.context.database
  const setting: Omit<MediaSetting, keyof AsyncDisposable> = {
    server,
    clock,
    connected,
    internal,
    start: ({
      agentId = server.seed.agents.organization,
      key,
      body = { participantIdentity: 'caller' },
    } = {}) =>
      server.call(`POST /api/v1/voice-agents/${agentId}/sessions`, { ...(key ? { key } : {}), body }),
    async beat({ capacity = 1_000, draining = false, sessionIds = [] } = {}) {
      const beat = { workerId: 'worker-1', version: '1', capacity, draining }
      await voice.workers.beat(
        { ...beat, sessionIds: sessionIds.map((id) => checkedId(VoiceSessionId, id)), callersPresent: [] },
        new Date(clock.now()),
      )
    },
    async session(sessionId) {
      const found = await voice.sessions.locate(checkedId(VoiceSessionId, sessionId))
      if (!found) throw new Error(`there is no session ${sessionId}`)
      return found
    },
    newKey: (changes = {}) => newKey(server, changes),
    newAgent: () => newAgent(server),
    async keyId(secret) {
      const found = await server.context.database.read.apiKeys.byHash(hashApiKeySecret(secret))
      if (!found) throw new Error('there is no such key')
      return found.id
    },
    perform: (round) => server.context.duties.perform(round),
    async watch(ms) {
      for (let passed = 0; passed < ms; passed += 2_000) {
        clock.advance(Math.min(2_000, ms - passed))
        await server.context.duties.perform('voiceWorkers')
      }
    },
  }
  await setting.beat()
  const owned = resources.move()
  return { ...setting, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function voiceEnv({
  httpUrl,
  apiKey,
  apiSecret,
}: Pick<TwirpDouble, 'httpUrl' | 'apiKey' | 'apiSecret'>): Record<string, string> {
  return {
    LIVEKIT_HTTP_URL: httpUrl,
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret,
    VOICE_PUBLIC_WS_URL: PUBLIC_WS_URL,
    VOICE_INTERNAL_TOKEN: INTERNAL_TOKEN,
    VOICE_INTERNAL_LISTEN: '127.0.0.1:0',
  }
}

async function newKey(
  { context: { database }, seed: { organizationId } }: TestServer,
  { projectId = null }: { projectId?: ProjectId | null },
): Promise<string> {
  const secret = mintApiKeySecret()
  const [id, secretHash] = [newId(ApiKeyId), hashApiKeySecret(secret)]
  const name = `key ${id}`
  await database.transaction(({ write }) =>
    write.apiKeys.insert({
      ...{ id, organizationId, projectId, name, secretHash },
      ...{ rpm: null, expiresAt: null, revokedAt: null },
    }),
  )
  return secret
}

async function newAgent({ context: { database }, seed: { organizationId } }: TestServer): Promise<AgentId> {
  const id: AgentId = newId(AgentId)
  await database.transaction(({ write }) =>
    write.agents.insert(agentRecord({ id, organizationId, name: `Agent ${id}` }), {
      kind: 'system',
      id: null,
      ip: null,
      requestId: null,
    }),
  )
  return id
}

/** Gives an agent a voice, without credentials. */
export async function addVoice(
  { context: { database } }: Pick<TestServer, 'context'>,
  owner: { organizationId: OrganizationId; projectId: ProjectId | null; agentId: AgentId },
  settings: VoiceSettings = {},
  ttsProvider = 'local-flite',
): Promise<VoiceConfigurationId> {
  const id: VoiceConfigurationId = newId(VoiceConfigurationId)
  await database.transaction(({ write }) =>
    write.voiceConfigurations.insert({
      id,
      ...owner,
      slug: `voice-${owner.agentId.slice(0, 8)}`,
      sttProvider: 'local-pocketsphinx',
      ttsProvider,
      sttCredentialId: null,
      ttsCredentialId: null,
      settings,
    }),
  )
  return id
}
