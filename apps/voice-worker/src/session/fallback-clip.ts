import type { tts } from '@livekit/agents'
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node'

const RENDER_MS = 10_000
const FRAMES_PER_SECOND = 50

/** A sentence that was spoken in advance: it can be played when the provider that spoke it has failed. */
export class FallbackClip {
  readonly #rendered: Promise<AudioFrame | null>

  /** Renders the text in the background; without audio there is nothing to play. */
  constructor(voice: tts.TTS, text: string) {
    this.#rendered = rendered(voice, text).catch(() => null)
  }

  /** Plays the clip on a track of its own, and resolves when it was heard; at once when there is none. */
  async play(room: Room): Promise<void> {
    const clip = await this.#rendered
    if (!clip || !room.localParticipant) return
    const source = new AudioSource(clip.sampleRate, 1)
    const track = LocalAudioTrack.createAudioTrack('fallback', source)
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
    const publication = await room.localParticipant.publishTrack(track, options)
    await publication.waitForSubscription()
    const step = Math.floor(clip.sampleRate / FRAMES_PER_SECOND)
    for (let at = 0; at < clip.data.length; at += step) {
      const part = Int16Array.from(clip.data.subarray(at, at + step))
      await source.captureFrame(new AudioFrame(part, clip.sampleRate, 1, part.length))
    }
    await source.waitForPlayout()
  }
}

async function rendered(voice: tts.TTS, text: string): Promise<AudioFrame> {
  return voice.synthesize(text, undefined, AbortSignal.timeout(RENDER_MS)).collect()
}
