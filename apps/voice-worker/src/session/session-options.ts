import { inference, type VAD, type voice } from '@livekit/agents'
import type { ClaimedVoiceJob } from '@troupe/contract/voice-worker'
import { earStream } from '../speech/ear-stream.ts'

/** Speech that was heard but not transcribed within this time is reported. */
const TRANSCRIPTION_MS = 4_000
/** An interruption without words within this time was noise: the agent goes on. */
const FALSE_INTERRUPTION_MS = 1_500
/** The caller's echo cancellation needs this long; the default makes 3 s of speech uninterruptible. */
const AEC_WARMUP_MS = 1_500
const HEARING_RATE = 16_000

type Options = NonNullable<ConstructorParameters<typeof voice.AgentSession>[0]>
type Start = Parameters<voice.AgentSession['start']>[0]

/** How a session takes turns. Only models of this machine take part: no option may be left to a hosted default. */
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
      // A speculative turn would run tools and write memory.
      preemptiveGeneration: { enabled: false },
    },
    // In place of the SDK's own filters, which know no tables, formulas, HTML or numbers of sources.
    ttsTextTransforms: [earStream(settings.language)],
    // Seconds, unlike its neighbours.
    userAwayTimeout: silence.afterS,
    aecWarmupDuration: aecWarmupMs(kind),
    transcriptionTimeout: TRANSCRIPTION_MS,
  }
}

/** How long a caller cannot interrupt at first; null: phones cancel their own echo. */
export function aecWarmupMs(kind: ClaimedVoiceJob['kind']): number | null {
  return kind === 'web' ? AEC_WARMUP_MS : null
}

/** How a session is in its room: the server deletes rooms, so that a session can be handed over. */
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
