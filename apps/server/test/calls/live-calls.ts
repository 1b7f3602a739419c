import type { AddressInfo } from 'node:net'
import type { VoiceSettings } from '@troupe/contract'
import { liveRooms } from '@troupe/media-servers/testing/live-rooms'
import type { MediaLevel } from '@troupe/media-servers/testing/media-level'
import { type CallSeed, type SeededCalls, seedCalls } from '@troupe/test-kit/seed-calls'
import type { CallStore, VoiceSessionRecord } from '@troupe/voice'
import { expect } from 'vitest'
import { type LiveServerOptions, type LiveVoice, openLiveVoice } from '../voice/live-voice.ts'

/** The row of a call. */
export interface CalledSession {
  row(): Promise<VoiceSessionRecord>
  /** The row once it is in one of the states. */
  reaches(...states: VoiceSessionRecord['sessionState'][]): Promise<VoiceSessionRecord>
}

/** A request for a call, and its row, if the server of the setting opened it. */
export interface PlacedCall extends CalledSession {
  /** Over a socket, so that the client can disconnect. */
  answer: Promise<{ status: number; body: Record<string, unknown> }>
  /** The client disconnects. */
  leave(): void
}

/** All dependencies of calls, as real processes, except the server, which is in this one. */
export interface LiveCalls extends AsyncDisposable {
  voice: LiveVoice
  /** Creates a trunk to a carrier. */
  trunk(address: string, changes?: Pick<CallSeed, 'trunk' | 'minutes'>): Promise<SeededCalls>
  place(on: SeededCalls, to: string, idempotencyKey?: string, origin?: string): PlacedCall
  /** The only call with a room, of any server. */
  inRoom(): Promise<CalledSession>
  /**
   * Fails if the call has left anything behind: its row must have ended, and its room must be gone from the media
   * server.
   */
  expectNothingLeft(call: CalledSession): Promise<VoiceSessionRecord>
}

export async function openLiveCalls(
  level: MediaLevel,
  settings: VoiceSettings,
  { env = {}, ...options }: LiveServerOptions = {},
): Promise<LiveCalls> {
  await using stack = new AsyncDisposableStack()
  const calling = { ...options, env: { VOICE_NEW_TRUNK_CALLS: '0', ...env } }
  const voice = stack.use(await openLiveVoice(level, settings, calling))
  const { server, media } = voice
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const { database } = server.context
  const opened = watchOpened(database.voice.calls)

  function called(row: () => Promise<VoiceSessionRecord>): CalledSession {
    return {
      row,
      async reaches(...states) {
        await expect
          .poll(async () => states.includes((await row()).sessionState), { timeout: 60_000, interval: 100 })
          .toBe(true)
        return row()
      },
    }
  }

  function place(
    { trunkId, phoneNumberId }: SeededCalls,
    to: string,
    idempotencyKey?: string,
    origin = `http://127.0.0.1:${port}`,
  ): PlacedCall {
    const client = new AbortController()
    const answer = fetch(`${origin}/api/v1/calls`, {
      method: 'POST',
      headers: {
        'x-api-key': server.seed.keys.organization,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ trunkId, phoneNumberId, to }),
      signal: client.signal,
    }).then(async (response) => ({ status: response.status, body: Object(await response.json()) }))
    // A disconnected client gets none.
    answer.catch(() => {})
    const row = async () => {
      await expect.poll(() => opened.get(`${trunkId} ${to}`)).toBeDefined()
      return voice.session(opened.get(`${trunkId} ${to}`) ?? '')
    }
    return { answer, leave: () => client.abort(), ...called(row) }
  }

  const owned = stack.move()
  return {
    voice,
    trunk: (address, { trunk = {}, ...changes } = {}) =>
      seedCalls(database, {
        ...{ organizationId: server.seed.organizationId, projectId: null },
        agentId: server.seed.agents.organization,
        trunk: { address, ringingTimeoutS: 10, ...trunk },
        ...changes,
      }),
    place,
    async inRoom() {
      const ids = async () => Object.keys(await liveRooms(media)).map((name) => name.replace(/^call_/, ''))
      await expect.poll(ids, { timeout: 15_000 }).toHaveLength(1)
      const [id = ''] = await ids()
      return called(() => voice.session(id))
    },
    async expectNothingLeft(call) {
      const { roomName } = await call.reaches('completed', 'failed')
      await expect.poll(async () => (await call.row()).roomGone, { timeout: 15_000 }).toBe(true)
      await expect.poll(() => liveRooms(media), { timeout: 15_000 }).not.toHaveProperty([roomName])
      const row = await call.row()
      expect(row.chargedS).not.toBeNull()
      return row
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The newest call of each trunk and destination, which no store lists. */
function watchOpened(calls: CallStore): Map<string, string> {
  const opened = new Map<string, string>()
  const { open } = calls
  calls.open = async (call, ...rest) => {
    const opening = await open(call, ...rest)
    if (opening.kind === 'opened') opened.set(`${call.trunkId} ${call.toE164}`, call.id)
    return opening
  }
  return opened
}
