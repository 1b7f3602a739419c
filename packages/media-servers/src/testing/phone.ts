import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeMulaw, encodeMulaw } from '../media-leg/g711.ts'
import { isKey, KeyReader, pressPayloads } from '../media-leg/keypad-events.ts'
import { PacketClock } from '../media-leg/packet-clock.ts'
import { RtpWriter, readRtp } from '../media-leg/rtp.ts'
import { resampled, type Speech } from './audio.ts'
import { Ear } from './ear.ts'

const RATE = 8_000
const PACKET = 160
const PCMU = 0
const EVENTS = 101
/** The typing speed of a person. */
const BETWEEN_KEYS_MS = 100

/** The called phone's audio: RTP of a call whose signalling SIPp handles. It sends to the source of the received packets. */
export class Phone implements AsyncDisposable {
  readonly ear = new Ear(RATE)
  /** Keys pressed by the other side. */
  readonly keys: string[] = []
  readonly #socket = createSocket('udp4')
  readonly #writer = new RtpWriter()
  readonly #keyReader = new KeyReader()
  readonly #clock = new PacketClock(() => this.#send())
  #other: { port: number; address: string } | null = null
  #queue: Int16Array[] = []
  #presses: { timestamp: number; payloads: Buffer[] } | null = null
  #timestamp = 0
  #onSpoken: ((at: number) => void) | null = null

  /** Opens the audio port for the SDP answer and returns it. */
  async open(): Promise<number> {
    this.#socket.on('message', (bytes, { port, address }) => {
      this.#other = { port, address }
      const packet = readRtp(bytes)
      if (packet?.payloadType === PCMU) this.ear.hear(decodeMulaw(packet.payload))
      const key = packet?.payloadType === EVENTS ? this.#keyReader.read(packet) : null
      if (key !== null) this.keys.push(key)
    })
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    this.#clock.start()
    return this.#socket.address().port
  }

  /** Sends early media, such as a ring tone, to the port that the caller has offered: audio before the call is answered. */
  soundTo(port: number): void {
    this.#other = { port, address: '127.0.0.1' }
  }

  /** Plays the speech; resolves with the time at which its last part was sent. */
  say(speech: Speech): Promise<number> {
    const { samples } = resampled(speech, RATE)
    for (let at = 0; at < samples.length; at += PACKET) {
      const part = new Int16Array(PACKET)
      part.set(samples.subarray(at, at + PACKET))
      this.#queue.push(part)
    }
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#onSpoken = resolve
    return promise
  }

  /** Presses a key of the keypad; resolves when it is released. */
  async press(key: string): Promise<void> {
    if (!isKey(key)) throw new Error(`There is no key ${key}`)
    const press = { timestamp: this.#timestamp, payloads: pressPayloads(key) }
    this.#presses = press
    while (press.payloads.length > 0) await pause(20)
    await pause(BETWEEN_KEYS_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clock.stop()
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }

  #send(): void {
    if (this.#other === null) return
    this.#timestamp += PACKET
    const key = this.#presses?.payloads.shift()
    const packet =
      key !== undefined && this.#presses !== null
        ? { payloadType: EVENTS, marker: false, timestamp: this.#presses.timestamp, payload: key }
        : {
            payloadType: PCMU,
            marker: false,
            timestamp: this.#timestamp,
            payload: Buffer.from(encodeMulaw(this.#queue.shift() ?? new Int16Array(PACKET))),
          }
    this.#socket.send(this.#writer.write(packet), this.#other.port, this.#other.address)
    if (this.#queue.length === 0) {
      this.#onSpoken?.(Date.now())
      this.#onSpoken = null
    }
  }
}
