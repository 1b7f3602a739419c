import { inference, type VAD, type voice } from '@livekit/agents'
import type { ClaimedVoiceJob } from '@troupe/contract/voice-worker'
import { earStream } from '../speech/ear-stream.ts'

/** Detected speech without a transcript within this time is reported. */
const TRANSCRIPTION_MS = 4_000
/** An interruption without words within this time was noise: the agent continues. */
const FALSE_INTERRUPTION_MS = 1_500
/** Duration of the caller's echo cancellation warm-up; the default makes 3 s of speech uninterruptible. */
const AEC_WARMUP_MS = 1_500
const HEARING_RATE = 16_000

type Options = NonNullable<ConstructorParameters<typeof voice.AgentSession>[0]>
type Start = Parameters<voice.AgentSession['start']>[0]

/** The turn-taking options of a session. Only local models: every option with a hosted default is set. */
export function sessionOptions(
  { kind, settings }: Pick<ClaimedVoiceJob, 'kind' | 'settings'>,
  vad: VAD,
): Omit<Options, 'stt' | 'llm' | 'tts'> {
  const { turn, bargeIn, silence } = settings
  return {
    vad,
    turnHandling: {
      // Without a version, the SDK may pick a hosted model.
      turnDetection: turn.detector === 'local' ? new inference.TurnDetector({ version: 'v1-mini' }) : 'vad',
      endpointing: { minDelay: turn.minDelayMs, maxDelay: turn.maxDelayMs },
      interruption: {
        enabled: bargeIn.enabled,
        // The other mode is a hosted model.
        mode: 'vad',
        minDuration: bargeIn.minMs,
        minWords: bargeIn.minWords,
        resumeFalseInterruption: true,
        falseInterruptionTimeout: FALSE_INTERRUPTION_MS,
      },
      // A speculative turn would execute tools and write memory.
      preemptiveGeneration: { enabled: false },
    },
    // Replaces the SDK's filters, which do not handle tables, formulas, HTML and citation numbers.
    ttsTextTransforms: [earStream(settings.language)],
    // In seconds, unlike its neighbours.
    userAwayTimeout: silence.afterS,
    aecWarmupDuration: aecWarmupMs(kind),
    transcriptionTimeout: TRANSCRIPTION_MS,
  }
}

/** Initial time in which a caller can't interrupt; null: phones cancel their own echo. */
export function aecWarmupMs(kind: ClaimedVoiceJob['kind']): number | null {
  return kind === 'web' ? AEC_WARMUP_MS : null
}

/** The room options of a session. The server deletes rooms, so that a session can be handed over. */
export function roomOptions(
  participantIdentity: string,
): Pick<Start, 'inputOptions' | 'outputOptions' | 'record'> {
  return {
    inputOptions: {
      participantIdentity,
      audioSampleRate: HEARING_RATE,
      closeOnDisconnect: true,
      deleteRoomOnClose: false,
    },
    outputOptions: { transcriptionEnabled: true, syncTranscription: true },
    // Recordings are uploaded to a hosted service.
    record: false,
  }
}
