import type { voice } from '@livekit/agents'
import type { SpeechUsage } from '@troupe/contract/voice-worker'

/** The usage of a session's speech providers. Model usage is counted by the server's own ledger. */
export function speechUsage({ modelUsage }: voice.AgentSessionUsage): SpeechUsage[] {
  return modelUsage.flatMap((usage): SpeechUsage[] => {
    const named = { provider: usage.provider ?? 'unknown', model: usage.model ?? null }
    switch (usage.type) {
      case 'stt_usage':
        return [{ kind: 'stt', ...named, characters: 0, audioMs: Math.round(usage.audioDurationMs ?? 0) }]
      case 'tts_usage': {
        const { charactersCount = 0, audioDurationMs = 0 } = usage
        return [{ kind: 'tts', ...named, characters: charactersCount, audioMs: Math.round(audioDurationMs) }]
      }
      default:
        return []
    }
  })
}
