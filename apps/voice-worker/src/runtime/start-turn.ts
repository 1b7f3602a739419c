import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@livekit/agents'
import type { IdText, RunId } from '@troupe/contract'
import { type TurnLine, type TurnRequest, VoiceServerError } from '@troupe/contract/voice-worker'

/** The part of a session's connection that turns need. */
export interface TurnConnection {
  turn(
    request: TurnRequest,
    signal: AbortSignal,
  ): Promise<{ runId: IdText<RunId> | null; lines: AsyncIterable<TurnLine> }>
}

/** How long a stopping or unavailable server is retried. A caller who hears nothing for longer hangs up. */
const PATIENCE_MS = 15_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 1_000
/** Transient: a stopping server refuses turns; another one, or the next process, accepts them. */
const PASSING: ReadonlySet<number | null> = new Set([null, 502, 503, 504])

/**
 * Starts a turn. Until its first line the request can be resent, because the server runs each turn number once.
 *
 * @throws VoiceServerError, or the reason of `signal`
 */
export async function startTurn(
  connection: TurnConnection,
  request: TurnRequest,
  signal: AbortSignal,
): ReturnType<TurnConnection['turn']> {
  const until = Date.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await connection.turn(request, signal)
    } catch (error) {
      const mayPass = error instanceof VoiceServerError && PASSING.has(error.status)
      if (!mayPass || Date.now() + pauseMs >= until) throw error
      log().warn({ error, turnSeq: request.turnSeq }, 'the turn was not accepted; it is sent again')
      await pause(pauseMs, undefined, { signal })
    }
  }
}
