import { setTimeout as pause } from 'node:timers/promises'
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node'
import { resampled, type Speech } from './audio.ts'
import { Ear } from './ear.ts'

const RATE = 16_000
/** 10 ms: a longer frame, or a queue, would add its length to every latency. */
const FRAME = RATE / 100

/** A caller in a room, without a browser: a microphone that never stops, and an ear. */
export class RoomCaller implements AsyncDisposable {
  readonly ear = new Ear(RATE)
  readonly room = new Room()
  readonly #source = new AudioSource(RATE, 1, 0)
  #queue: Int16Array[] = []
  #onSpoken: ((at: number) => void) | null = null
  #isOver = false

  async join(wsUrl: string, token: string): Promise<void> {
    this.room.on(RoomEvent.TrackSubscribed, (track) => void this.#listen(track))
    await this.room.connect(wsUrl, token, { autoSubscribe: true, dynacast: false })
    const track = LocalAudioTrack.createAudioTrack('microphone', this.#source)
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
    await this.room.localParticipant?.publishTrack(track, options)
    void this.#speakForever()
  }

  /** Plays the speech; resolves with the time at which its last part was sent. */
  say(speech: Speech): Promise<number> {
    const { samples } = resampled(speech, RATE)
    for (let at = 0; at < samples.length; at += FRAME) {
      const frame = new Int16Array(FRAME)
      frame.set(samples.subarray(at, at + FRAME))
      this.#queue.push(frame)
    }
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#onSpoken = resolve
    return promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.room.disconnect()
  }

  async #listen(track: RemoteTrack): Promise<void> {
    if (track.kind !== TrackKind.KIND_AUDIO) return
    for await (const frame of new AudioStream(track, { sampleRate: RATE, numChannels: 1 })) {
      this.ear.hear(frame.data)
    }
  }

  async #speakForever(): Promise<void> {
    const startedAt = performance.now()
    for (let sent = 1; !this.#isOver; sent += 1) {
      const samples = this.#queue.shift() ?? new Int16Array(FRAME)
      await this.#source.captureFrame(new AudioFrame(samples, RATE, 1, FRAME))
      if (this.#queue.length === 0) {
        this.#onSpoken?.(Date.now())
        this.#onSpoken = null
      }
      const early = startedAt + sent * 10 - performance.now()
      if (early > 0) await pause(early)
    }
  }
}
