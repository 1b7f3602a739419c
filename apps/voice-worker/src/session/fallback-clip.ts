import type { tts } from '@livekit/agents'
import type { AudioFrame } from '@livekit/rtc-node'
import type { SessionMedia } from './session-media.ts'

const RENDER_MS = 10_000

/** A sentence that was spoken in advance: it can be played when the provider that spoke it has failed. */
export class FallbackClip {
  readonly #rendered: Promise<AudioFrame | null>

  /** Renders the text in the background; without audio there is nothing to play. */
  constructor(voice: tts.TTS, text: string) {
    this.#rendered = rendered(voice, text).catch(() => null)
  }

  /** Resolves when the clip was heard; at once when there is none. */
  async play(media: Pick<SessionMedia, 'play'>): Promise<void> {
    const clip = await this.#rendered
    if (clip) await media.play(clip)
  }
}

async function rendered(voice: tts.TTS, text: string): Promise<AudioFrame> {
  return voice.synthesize(text, undefined, AbortSignal.timeout(RENDER_MS)).collect()
}
