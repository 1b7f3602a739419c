import { tts } from '@livekit/agents'

const RECOVERY_MS = 5_000

/** Several texts to speech: when one fails, the next one speaks the same text. */
export class FailoverTts extends tts.FallbackAdapter {
  constructor(ttsInstances: tts.TTS[]) {
    super({ ttsInstances, maxRetryPerTTS: 1, recoveryDelayMs: RECOVERY_MS })
  }

  /** Frames that are resampled lose the text that was aligned with them, and the transcript would be empty. */
  override get capabilities(): tts.TTSCapabilities {
    return { ...super.capabilities, alignedTranscript: false }
  }

  /** The SDK passes on the error of each provider, also when the next one covers it: only that of all of them is one. */
  override emit: tts.FallbackAdapter['emit'] = (event, ...heard) => {
    if (event === 'error' && labelOf(heard[0]) !== this.label) return false
    return super.emit(event, ...heard)
  }

  override async close(): Promise<void> {
    await super.close()
    // What is still under way may fail after its listeners were removed.
    for (const one of this.ttsInstances) one.on('error', () => {})
  }
}

function labelOf(error: unknown): string | null {
  const { label = null }: { label?: string | null } = error ?? {}
  return label
}
