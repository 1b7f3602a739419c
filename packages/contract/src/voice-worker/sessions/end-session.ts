import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { StoredCount } from '../endpoint/integers.ts'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** Why a worker ends a session. `worker_draining` hands the session over to another worker. */
export const WORKER_END_REASONS = [
  'participant_left',
  'agent_ended',
  'timeout',
  'inactivity',
  'ended_by_operator',
  'budget_exhausted',
  'provider_error',
  'media_lost',
  'worker_draining',
] as const
export type WorkerEndReason = (typeof WORKER_END_REASONS)[number]

/** Usage of a provider in one session. */
export const SpeechUsage = Type.Object({
  kind: Choice(['stt', 'tts']),
  provider: Type.String({ maxLength: 100 }),
  model: Nullable(Type.String({ maxLength: 200 })),
  /** Characters spoken; 0 for speech to text. */
  characters: StoredCount(),
  /** Milliseconds of audio heard or spoken. */
  audioMs: StoredCount(),
})
export type SpeechUsage = Static<typeof SpeechUsage>

export const JobEnd = Type.Object({
  reason: Choice(WORKER_END_REASONS),
  usage: Type.Array(SpeechUsage, { maxItems: 100 }),
  /** Whether a fallback provider served a part of the session. */
  failoverUsed: Type.Boolean(),
  /** Milliseconds from the start of the job; null: not reached. */
  timings: Type.Object({
    readyMs: Nullable(StoredCount()),
    firstAudioMs: Nullable(StoredCount()),
    durationMs: StoredCount(),
  }),
})
export type JobEnd = Static<typeof JobEnd>

/** `POST …/sessions/{sessionId}/ended`: deletes the room unless the reason is `worker_draining`. */
export const endSessionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/sessions/{sessionId}/ended',
  needsSessionToken: true,
  body: JobEnd,
  success: { status: 204, body: null },
})
