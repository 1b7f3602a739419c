import { setTimeout as pause } from 'node:timers/promises'
import { checkedId, VoiceSessionId } from '@troupe/contract'
import { startTwirpDouble, type TwirpDouble } from '@troupe/livekit/testing/twirp-double'
import { type CallSeed, SEEDED_NUMBER, type SeededCalls, seedCalls } from '@troupe/test-kit/seed-calls'
import { startTestServer, type TestAnswer, type TestServer } from '@troupe/test-kit/server'
import type { VoiceSessionRecord } from '@troupe/voice'

export const LONDON = '+442079460999'
export { SEEDED_NUMBER }

/** The response of a test's voice worker to jobs of calls. */
export interface FakeWorker {
  accepts: boolean
  isReady: boolean
}

/** A server that places calls over a double of the media server, with a worker that accepts every job. */
export interface CallSetting extends AsyncDisposable {
  double: TwirpDouble
  server: TestServer
  worker: FakeWorker
  /** Creates a trunk with a number, in the organization by default. */
  trunk(changes?: Partial<CallSeed>): Promise<SeededCalls>
  /** Calls London on the trunk by default. */
  call(
    on: SeededCalls,
    options?: { to?: string; key?: string; idempotencyKey?: string; body?: object },
  ): Promise<TestAnswer>
  /** Waits for the trunk's only session in this state. */
  session(on: SeededCalls, states?: readonly string[]): Promise<VoiceSessionRecord>
  /** Every call of the trunk with a requested room, oldest first. */
  calls(on: SeededCalls): Promise<VoiceSessionRecord[]>
  /** Fails all ringing calls of the trunk. */
  endRinging<T>(on: SeededCalls, answers: readonly Promise<T>[]): Promise<T[]>
  /** Requests of calls to the media server, without upkeep. */
  requests(): string[]
}

const ROOM_PREFIX = 'call_'

/** Opens a server that places calls. */
export async function openCalls(env: Record<string, string> = {}): Promise<CallSetting> {
  await using resources = new AsyncDisposableStack()
  const double = resources.use(await startTwirpDouble())
  const server = resources.use(await startTestServer({ env: { ...callEnv(double), ...env } }))
  const { database } = server.context
  const { organizationId, agents } = server.seed
  const worker: FakeWorker = { accepts: true, isReady: true }
  const over = new AbortController()
  const working = work(server, worker, double, over.signal)
  resources.defer(async () => {
    over.abort()
    await working
  })
  const calls = async ({ trunkId }: SeededCalls) => {
    const found: VoiceSessionRecord[] = []
    for (const { method, body } of double.requests) {
      if (method !== 'CreateRoom') continue
      const row = await database.voice.sessions.locate(
        checkedId(VoiceSessionId, String(body.name).slice(ROOM_PREFIX.length)),
      )
      if (row?.trunkId === trunkId) found.push(row)
    }
    return found
  }
  const setting: Omit<CallSetting, keyof AsyncDisposable> = {
    double,
    server,
    worker,
    trunk: (changes = {}) =>
      seedCalls(database, { organizationId, projectId: null, agentId: agents.organization, ...changes }),
    call: ({ trunkId, phoneNumberId }, { to = LONDON, key, idempotencyKey, body } = {}) =>
      server.call('POST /api/v1/calls', {
        ...(key ? { key } : {}),
        ...(idempotencyKey ? { headers: { 'idempotency-key': idempotencyKey } } : {}),
        body: body ?? { trunkId, to, phoneNumberId },
      }),
    async session(on, states = ['starting', 'dialing', 'active']) {
      for (const deadline = performance.now() + 30_000; ; await pause(5)) {
        const rows = await calls(on)
        const found = rows.find(({ sessionState }) => states.includes(sessionState))
        if (found) return found
        if (performance.now() > deadline) {
          const seen = rows.map(({ sessionState, failureReason }) => ({ sessionState, failureReason }))
          throw new Error(`no call is ${states.join(' or ')}, but there are: ${JSON.stringify(seen)}`)
        }
      }
    },
    calls,
    async endRinging(on, answers) {
      const ended = Promise.all(answers)
      for (let isOver = false; !isOver; ) {
        for (const { roomName } of await calls(on)) double.calls.end(roomName)
        isOver = await Promise.race([ended.then(() => true), pause(10, false)])
      }
      return ended
    },
    requests: () => double.requests.flatMap(({ method }) => (method.endsWith('Dispatch') ? [] : [method])),
  }
  const owned = resources.move()
  return { ...setting, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function callEnv({ httpUrl, apiKey, apiSecret, sipHealthUrl }: TwirpDouble): Record<string, string> {
  return {
    LIVEKIT_HTTP_URL: httpUrl,
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret,
    LIVEKIT_SIP_HEALTH_URL: sipHealthUrl,
    VOICE_PUBLIC_WS_URL: 'wss://media.example.test',
    VOICE_INTERNAL_TOKEN: 'a-random-token-of-voice-workers-7f3c91',
    VOICE_INTERNAL_LISTEN: '127.0.0.1:0',
    VOICE_NEW_TRUNK_CALLS: '0',
  }
}

const BEAT_MS = 1_000

/** Accepts the job of every room of the double, and reports its agent as ready. */
async function work(
  { context }: TestServer,
  worker: FakeWorker,
  double: TwirpDouble,
  over: AbortSignal,
): Promise<void> {
  const { sessions, workers } = context.database.voice
  const taken = new Set<string>()
  const beat = {
    workerId: 'worker',
    version: '1',
    capacity: 1_000,
    draining: false,
    sessionIds: [],
    callersPresent: [],
  }
  let seenAt = 0
  while (!over.aborted) {
    if (Date.now() - seenAt > BEAT_MS) {
      seenAt = Date.now()
      await workers.beat(beat, new Date(seenAt))
    }
    for (const { name } of double.rooms()) {
      if (taken.has(name) || !name.startsWith(ROOM_PREFIX) || !worker.accepts) continue
      taken.add(name)
      const row = await sessions.locate(checkedId(VoiceSessionId, name.slice(ROOM_PREFIX.length)))
      if (row) await sessions.accepted(row, beat.workerId, new Date())
      if (row && worker.isReady) await sessions.ready(row, new Date())
    }
    await pause(5, null, { signal: over }).catch(() => null)
  }
}

/** The code and the message of a refusal. */
export function refusalOf({ status, body }: TestAnswer): [number, string, string] {
  const { error, message } = body as { error: string; message: string }
  return [status, error, message]
}
