import type { AddressInfo } from 'node:net'
import type { VoiceSettings } from '@troupe/contract'
import { liveRooms } from '@troupe/media-servers/testing/live-rooms'
import type { MediaLevel } from '@troupe/media-servers/testing/media-level'
import { type CallSeed, type SeededCalls, seedCalls } from '@troupe/test-kit/seed-calls'
import type { CallStore, VoiceSessionRecord } from '@troupe/voice'
import { expect } from 'vitest'
import { type LiveVoice, openLiveVoice } from '../voice/live-voice.ts'

/** A request for a call, and its row. */
export interface PlacedCall {
  /** Over a socket, so that the client can leave. */
  answer: Promise<{ status: number; body: Record<string, unknown> }>
  /** The client disconnects. */
  leave(): void
  row(): Promise<VoiceSessionRecord>
  /** The row once it is in one of the states. */
  reaches(...states: VoiceSessionRecord['sessionState'][]): Promise<VoiceSessionRecord>
}

/** Everything that calls need, with real processes but for the server, which is in this one. */
export interface LiveCalls extends AsyncDisposable {
  voice: LiveVoice
  /** Makes a trunk to a carrier. */
  trunk(address: string, changes?: Pick<CallSeed, 'trunk' | 'minutes'>): Promise<SeededCalls>
  place(on: SeededCalls, to: string, idempotencyKey?: string): PlacedCall
  /** Fails unless nothing of the call is left: its row has ended, and the media server has no room of it. */
  expectNothingLeft(call: PlacedCall): Promise<VoiceSessionRecord>
}

export async function openLiveCalls(
  level: MediaLevel,
  settings: VoiceSettings,
  extraEnv: Record<string, string> = {},
): Promise<LiveCalls> {
  await using stack = new AsyncDisposableStack()
  const voice = stack.use(await openLiveVoice(level, settings, { VOICE_NEW_TRUNK_CALLS: '0', ...extraEnv }))
  const { server, media } = voice
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const { database } = server.context
  const opened = watchOpened(database.voice.calls)

  function place({ trunkId, phoneNumberId }: SeededCalls, to: string, idempotencyKey?: string): PlacedCall {
    const client = new AbortController()
    const answer = fetch(`http://127.0.0.1:${port}/api/v1/calls`, {
      method: 'POST',
      headers: {
        'x-api-key': server.seed.keys.organization,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ trunkId, phoneNumberId, to }),
      signal: client.signal,
    }).then(async (response) => ({ status: response.status, body: Object(await response.json()) }))
    // A client that left gets none.
    answer.catch(() => {})
    const row = async () => {
      await expect.poll(() => opened.get(`${trunkId} ${to}`)).toBeDefined()
      return voice.session(opened.get(`${trunkId} ${to}`) ?? '')
    }
    return {
      answer,
      leave: () => client.abort(),
      row,
      async reaches(...states) {
        await expect
          .poll(async () => states.includes((await row()).sessionState), { timeout: 60_000, interval: 100 })
          .toBe(true)
        return row()
      },
    }
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
