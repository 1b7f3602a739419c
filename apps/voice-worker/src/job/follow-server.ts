import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@livekit/agents'
import type { VoiceSessionConnection } from '@troupe/contract/voice-worker'
import type { LiveSession } from './live-session.ts'

const RECONNECT_MS = 1_000

/** Follows the server's events until the session ends. A new connection starts with the current state. */
export async function followServer(connection: VoiceSessionConnection, live: LiveSession): Promise<void> {
  const { ended } = live
  while (!ended.aborted) {
    try {
      for await (const event of connection.events(ended)) {
        if (event.event === 'answered') live.answered(event.leaseUntil)
        else if (event.event === 'lease') live.lease(event.until)
        else await live.leave()
      }
    } catch (error) {
      if (ended.aborted) return
      log().warn({ error }, 'the events of the session stopped')
    }
    await pause(RECONNECT_MS)
  }
}
