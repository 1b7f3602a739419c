import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { OpenObject } from '../../schema/objects.ts'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** The caller's speech or keypad input. */
export const TurnRequest = Type.Object({
  /** Counts the turns of the session. A repeated number means the same turn. */
  turnSeq: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  text: Type.String({ minLength: 1, maxLength: 20_000 }),
  /** BCP 47; the caller's language. */
  language: Type.String({ minLength: 1, maxLength: 35 }),
  kind: Choice(['message', 'keypad']),
})
export type TurnRequest = Static<typeof TurnRequest>

/** Actions that the agent requests from the worker, which performs them after everything before them was spoken. */
export const TURN_ACTIONS = ['end_call', 'send_dtmf'] as const
export type TurnAction = (typeof TURN_ACTIONS)[number]

/** A line of a turn's response; `done` or `error` is the last one. */
export const TurnLine = Type.Union([
  Type.Object({ t: Type.Literal('text'), d: Type.String() }),
  Type.Object({ t: Type.Literal('tool'), phase: Choice(['started', 'finished']), name: Type.String() }),
  Type.Object({ t: Type.Literal('action'), name: Choice(TURN_ACTIONS), args: OpenObject() }),
  Type.Object({
    t: Type.Literal('usage'),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    failoverUsed: Type.Boolean(),
  }),
  Type.Object({ t: Type.Literal('done'), runId: Type.String(), success: Type.Boolean() }),
  Type.Object({ t: Type.Literal('error'), code: Type.String(), message: Type.String() }),
])
export type TurnLine = Static<typeof TurnLine>

/**
 * `POST …/sessions/{sessionId}/turn`: one line per event, sent in the tick in which it happens. A finished turn is
 * replayed, never run again; closing the connection cancels the run.
 */
export const takeTurn = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/sessions/{sessionId}/turn',
  needsSessionToken: true,
  body: TurnRequest,
  success: { status: 200, body: TurnLine, type: 'application/x-ndjson' },
})
