import { setTimeout } from 'node:timers/promises'
import { EventStream } from '@troupe/http/event-stream'
import type { App } from '@troupe/http/server-types'
import { IN_FLIGHT_STATES, type VoiceParts, type VoiceSessionRecord } from '@troupe/voice'
import { type SessionEvent, VOICE_ENDPOINTS } from '@troupe/voice-protocol'
import { leaseUntilOf } from './claimed-jobs.ts'
import { registerSessionEndpoint } from './register-endpoint.ts'

/** A callee waits for the first words after the answer, so a ringing call is watched closely. */
const RINGING_POLL_MS = 200
const POLL_MS = 1_000

/** Streams to the worker of a session what changes in its row, beginning with what already holds. */
export function registerSessionEvents(app: App, { stores }: Pick<VoiceParts, 'stores'>): void {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  registerSessionEndpoint(app, stores.sessions, VOICE_ENDPOINTS.sessionEvents, async ({ session, reply }) => {
    reply.hijack()
    const stream = new EventStream(reply.raw, reply.getHeaders())
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, closing.signal])
    const seen = new SeenChanges()
    for (let current: VoiceSessionRecord | null = session; current && !signal.aborted; ) {
      const events = seen.of(current)
      for (const event of events) stream.sendNamed(event.event, event)
      if (events.some(({ event }) => event === 'end')) break
      await pause(isRinging(current) ? RINGING_POLL_MS : POLL_MS, signal)
      // A database that is away costs a poll; the worker's heartbeats hear of an end too.
      current = await stores.sessions.byKey(session).catch(() => current)
    }
    stream.end()
    return undefined
  })
}

function isRinging({ kind, answeredAt }: VoiceSessionRecord): boolean {
  return kind === 'outbound_call' && answeredAt === null
}

/** What a reader was told of a session. */
class SeenChanges {
  #leaseUntil: number | null = null

  of(session: VoiceSessionRecord): SessionEvent[] {
    const isOver = !IN_FLIGHT_STATES.some((state) => state === session.sessionState)
    if (isOver) return [{ event: 'end', reason: session.endedReason ?? 'ended' }]
    const until = leaseUntilOf(session)
    if (until === null || until === this.#leaseUntil) return []
    const isAnswer = this.#leaseUntil === null
    this.#leaseUntil = until
    return [isAnswer ? { event: 'answered', leaseUntil: until } : { event: 'lease', until }]
  }
}

/** Resolves after `ms`, or when the signal fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
}
