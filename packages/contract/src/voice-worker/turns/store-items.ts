import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { StoredCount, StoredTime } from '../endpoint/integers.ts'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

const ms = () => Type.Optional(StoredCount())

/** The duration of the parts of a turn, in milliseconds. */
export const TurnMetrics = Type.Object({
  /** From the end of speech to the decision that the caller is done. */
  endOfTurnDelay: ms(),
  /** From the end of speech to the final transcript. */
  transcriptionDelay: ms(),
  /** From the request to the first text of the model. */
  llmNodeTtft: ms(),
  /** From the first text to the first audio. */
  ttsNodeTtfb: ms(),
  playbackLatency: ms(),
  /** From the end of speech to the agent's first audio. */
  e2eLatency: ms(),
})
export type TurnMetrics = Static<typeof TurnMetrics>

/** An utterance. */
export const TranscriptItem = Type.Object({
  itemId: Type.String({ minLength: 1, maxLength: 100 }),
  role: Choice(['user', 'assistant']),
  /** The heard or spoken text, not the generated one. */
  text: Type.String({ maxLength: 100_000 }),
  interrupted: Type.Boolean(),
  /** The run of the answer; null for the worker's own utterances, such as the greeting. */
  runId: Nullable(Type.String()),
  metrics: TurnMetrics,
  /** Milliseconds since the epoch, by the worker's clock. */
  createdAt: StoredTime(),
})
export type TranscriptItem = Static<typeof TranscriptItem>

/** `POST …/sessions/{sessionId}/items`: idempotent on `itemId`. */
export const storeItems = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/sessions/{sessionId}/items',
  needsSessionToken: true,
  body: Type.Object({ items: Type.Array(TranscriptItem, { minItems: 1, maxItems: 200 }) }),
  success: { status: 204, body: null },
})
