import type { voice } from '@livekit/agents'
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  type Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node'
import type { SessionMedia } from '../session/session-media.ts'
import { roomOptions } from '../session/session-options.ts'

const FRAMES_PER_SECOND = 50

/** A session in a LiveKit room. */
export class RoomMedia implements SessionMedia {
  readonly #room: Room

  constructor(room: Room) {
    this.#room = room
  }

  async start(session: voice.AgentSession, agent: voice.Agent, participantIdentity: string): Promise<void> {
    await session.start({ agent, room: this.#room, ...roomOptions(participantIdentity) })
  }

  async pressKey(code: number, key: string): Promise<void> {
    await this.#room.localParticipant?.publishDtmf(code, key)
  }

  /** Plays the clip on a separate track: the session's track may be closed, or wait for its provider. */
  async play(clip: AudioFrame): Promise<void> {
    if (!this.#room.localParticipant) return
    const source = new AudioSource(clip.sampleRate, 1)
    const track = LocalAudioTrack.createAudioTrack('fallback', source)
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
    const publication = await this.#room.localParticipant.publishTrack(track, options)
    await publication.waitForSubscription()
    const step = Math.floor(clip.sampleRate / FRAMES_PER_SECOND)
    for (let at = 0; at < clip.data.length; at += step) {
      const part = Int16Array.from(clip.data.subarray(at, at + step))
      await source.captureFrame(new AudioFrame(part, clip.sampleRate, 1, part.length))
    }
    await source.waitForPlayout()
  }
}
