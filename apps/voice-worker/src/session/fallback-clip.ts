import type { tts } from '@livekit/agents'
import { type AudioFrame, combineAudioFrames } from '@livekit/rtc-node'
import type { SessionMedia } from './session-media.ts'

const RENDER_MS = 10_000

/** A sentence synthesized in advance, to be played when its provider has failed. */
export class FallbackClip {
  readonly #rendered: Promise<AudioFrame | null>

  /** Synthesizes the text in the background; on failure there is nothing to play. */
  constructor(voice: tts.TTS, text: string) {
    this.#rendered = rendered(voice, text).catch(() => null)
  }

  /** Resolves when the clip was played; immediately without one. */
  async play(media: Pick<SessionMedia, 'play'>): Promise<void> {
    const clip = await this.#rendered
    if (clip) await media.play(clip)
  }
}

/** Uses the streaming interface, like all other speech: for whole texts, Deepgram's plugin drops the port of an address. */
async function rendered(voice: tts.TTS, text: string): Promise<AudioFrame> {
  const stream = voice.stream()
  const late = setTimeout(() => stream.close(), RENDER_MS)
  try {
    stream.pushText(text)
    stream.endInput()
    const frames: AudioFrame[] = []
    for await (const spoken of stream) if (typeof spoken !== 'symbol') frames.push(spoken.frame)
    if (frames.length === 0) throw new Error('The provider returned no audio.')
    return combineAudioFrames(frames)
  } finally {
    clearTimeout(late)
    stream.close()
  }
}
