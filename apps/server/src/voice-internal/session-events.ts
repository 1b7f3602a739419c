import { type SessionEvent, VOICE_ENDPOINTS } from '@troupe/contract/voice-worker'
import { onClosed } from '@troupe/http/connections/on-closed'
import { EventStream } from '@troupe/http/event-streams/event-stream'
import type { App } from '@troupe/http/server-types'
import { IN_FLIGHT_STATES, type VoiceParts, type VoiceSessionRecord } from '@troupe/voice'
import { leaseUntilOf } from './claimed-jobs.ts'
import { registerSessionEndpoint } from './register-endpoint.ts'
import { SessionWatch } from './session-watch.ts'

/** Streams changes of a session's row to its worker, starting with the current state. */
export function registerSessionEvents(
  app: App,
  { stores, onFailure }: Pick<VoiceParts, 'stores' | 'onFailure'>,
): void {
  const watch = new SessionWatch({
    read: (ids) => stores.sessions.byIds(ids),
    onFailure: (error) => onFailure('reading the sessions of workers', error),
  })
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  registerSessionEndpoint(app, stores.sessions, VOICE_ENDPOINTS.sessionEvents, async ({ session, reply }) => {
    reply.hijack()
    const stream = new EventStream(reply.raw, reply.getHeaders())
    const seen = new SeenChanges()
    const end = () => {
      unwatch()
      open.delete(end)
      stream.end()
    }
    const show = (current: VoiceSessionRecord | null) => {
      const events = current === null ? [] : seen.of(current)
      for (const event of events) stream.sendNamed(event.event, event)
      if (current === null || events.some(({ event }) => event === 'end')) end()
    }
    const unwatch = watch.add(session, show)
    open.add(end)
    onClosed(reply.raw, end)
    show(session)
    return undefined
  })
}

/** The changes already sent to a reader. */
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
