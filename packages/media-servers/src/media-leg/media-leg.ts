import { randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
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
import { decodeMulaw, encodeMulaw } from './g711.ts'
import { isKey, KeyReader, pressPayloads } from './keypad-events.ts'
import { PacketClock } from './packet-clock.ts'
import { type RtpPacket, RtpWriter, readRtp } from './rtp.ts'

const RATE = 8_000
/** Samples in an RTP packet: 20 ms. */
const PACKET = 160
/** Samples in one frame of the media source: 10 ms. */
const FRAME = 80
/** Capacity of the media source's queue in milliseconds. */
const QUEUE_MS = 300
/**
 * Silence queued before the first packet, in milliseconds: packets that arrive late and in bursts, as on a busy machine, are played at
 * their pace, as by the jitter buffer of a real bridge. Without it the room hears stretched and cut speech.
 */
const CUSHION_MS = 100
/** Maximum samples queued for the carrier, one second; more are dropped. */
const MAX_WAITING = RATE
const PCMU = 0
const EVENTS = 101

export interface CarrierAddress {
  ip: string
  port: number
  /** 0: the carrier accepts no keypad events. */
  eventType: number
}

/** One call: a participant of a room on one side, RTP to a carrier on the other. */
export class MediaLeg {
  readonly id = randomUUID()
  readonly #room = new Room()
  readonly #socket: Socket = createSocket('udp4')
  readonly #source = new AudioSource(RATE, 1, QUEUE_MS)
  readonly #writer = new RtpWriter()
  readonly #keys = new KeyReader()
  readonly #packets = new PacketClock(() => this.#sendPacket())
  #waiting: Int16Array[] = []
  #presses: { timestamp: number; payloads: Buffer[] } | null = null
  #carrier: CarrierAddress | null = null
  #timestamp = 0
  #isClosed = false
  /** Frames are sent to the room sequentially. */
  #toRoom: Promise<void> = Promise.resolve()
  readonly #onRoomGone: () => void

  /** `onRoomGone` is called once when the room ends or removes the participant before `close`. */
  constructor(onRoomGone: () => void) {
    this.#onRoomGone = onRoomGone
  }

  /** Joins the room and opens the RTP port. */
  async open(wsUrl: string, token: string): Promise<{ participantId: string; rtpPort: number }> {
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    this.#socket.on('message', (bytes) => this.#receive(bytes))
    this.#room
      .on(RoomEvent.Disconnected, () => this.#disconnected())
      .on(RoomEvent.TrackSubscribed, (track) => void this.#listen(track))
      .on(RoomEvent.DtmfReceived, (_code, digit) => this.#press(digit))
    await this.#room.connect(wsUrl, token, { autoSubscribe: true, dynacast: false })
    return { participantId: this.#room.localParticipant?.sid ?? '', rtpPort: this.#socket.address().port }
  }

  /** The call is answered: audio now flows in both directions. */
  async answer(carrier: CarrierAddress): Promise<void> {
    this.#carrier = carrier
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE })
    const track = LocalAudioTrack.createAudioTrack('sip', this.#source)
    await this.#room.localParticipant?.publishTrack(track, options)
    this.#hear(new Int16Array((RATE * CUSHION_MS) / 1_000))
    await this.#room.localParticipant?.setAttributes({ 'sip.callStatus': 'active' })
    this.#packets.start()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#packets.stop()
    this.#socket.close()
    await this.#room.disconnect()
  }

  #disconnected(): void {
    if (this.#isClosed) return
    this.#onRoomGone()
    void this.close()
  }

  async #listen(track: RemoteTrack): Promise<void> {
    if (track.kind !== TrackKind.KIND_AUDIO) return
    for await (const frame of new AudioStream(track, { sampleRate: RATE, numChannels: 1 })) {
      // Early media has no listener.
      if (this.#carrier !== null) this.#wait(frame.data)
    }
  }

  #wait(samples: Int16Array): void {
    this.#waiting.push(Int16Array.from(samples))
    let total = this.#waiting.reduce((sum, part) => sum + part.length, 0)
    while (total > MAX_WAITING) total -= this.#waiting.shift()?.length ?? total
  }

  #take(count: number): Int16Array {
    const taken = new Int16Array(count)
    let filled = 0
    while (filled < count) {
      const part = this.#waiting.shift()
      if (part === undefined) break
      const used = part.subarray(0, count - filled)
      taken.set(used, filled)
      filled += used.length
      if (used.length < part.length) this.#waiting.unshift(part.subarray(used.length))
    }
    return taken
  }

  #press(key: string): void {
    if (this.#carrier === null || this.#carrier.eventType === 0 || !isKey(key)) return
    const former = this.#presses?.payloads ?? []
    this.#presses = { timestamp: this.#timestamp, payloads: [...former, ...pressPayloads(key)] }
  }

  /** One packet for each 20 ms: a key while one is pressed, else audio, possibly silence. */
  #sendPacket(): void {
    const carrier = this.#carrier
    if (carrier === null || this.#isClosed) return
    this.#timestamp += PACKET
    const audio = this.#take(PACKET)
    const key = this.#presses?.payloads.shift()
    const packet: RtpPacket =
      key !== undefined && this.#presses !== null
        ? { payloadType: carrier.eventType, marker: false, timestamp: this.#presses.timestamp, payload: key }
        : {
            payloadType: PCMU,
            marker: false,
            timestamp: this.#timestamp,
            payload: Buffer.from(encodeMulaw(audio)),
          }
    if (this.#presses?.payloads.length === 0) this.#presses = null
    this.#socket.send(this.#writer.write(packet), carrier.port, carrier.ip)
  }

  #receive(bytes: Buffer): void {
    const packet = readRtp(bytes)
    if (packet === null || this.#carrier === null) return
    if (packet.payloadType === PCMU) this.#hear(decodeMulaw(packet.payload))
    if (packet.payloadType !== EVENTS) return
    const key = this.#keys.read(packet)
    if (key !== null) void this.#room.localParticipant?.publishDtmf(KeyReader.codeOf(key), key)
  }

  #hear(samples: Int16Array): void {
    this.#toRoom = this.#toRoom
      .then(async () => {
        for (let at = 0; at + FRAME <= samples.length && !this.#isClosed; at += FRAME) {
          await this.#source.captureFrame(new AudioFrame(samples.slice(at, at + FRAME), RATE, 1, FRAME))
        }
      })
      .catch(() => {
        // The room ended while audio was being sent.
      })
  }
}
