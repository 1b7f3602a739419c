import { setTimeout as pause } from 'node:timers/promises'
import { isLoud, joined, type Speech } from './audio.ts'

interface Heard {
  /** Arrival time of the frame in milliseconds since the epoch. */
  at: number
  isLoud: boolean
  samples: Int16Array
}

/** The audio that a caller hears, frame by frame. */
export class Ear {
  readonly #rate: number
  #heard: Heard[] = []

  constructor(rate: number) {
    this.#rate = rate
  }

  hear(samples: Int16Array): void {
    this.#heard.push({ at: Date.now(), isLoud: isLoud(samples), samples: Int16Array.from(samples) })
  }

  /** The arrival time of the first loud frame after `since`. */
  async firstSound(since: number, patienceMs = 20_000): Promise<number> {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const found = this.#heard.find((frame) => frame.at > since && frame.isLoud)
      if (found !== undefined) return found.at
      if (Date.now() > giveUpAt) throw new Error(`Nothing was heard within ${patienceMs} ms`)
      await pause(5)
    }
  }

  /** All speech after `since`, once it has been quiet for `quietMs`. */
  async sentence(since: number, quietMs = 900, patienceMs = 30_000): Promise<Speech> {
    const startedAt = await this.firstSound(since, patienceMs)
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const last = this.lastSound()
      if (Date.now() - last > quietMs || Date.now() > giveUpAt) {
        const frames = this.#heard.filter(({ at }) => at >= startedAt - 100 && at <= last)
        return { samples: joined(frames.map(({ samples }) => samples)), rate: this.#rate }
      }
      await pause(20)
    }
  }

  /** Drops all received audio, so that a long conversation takes no memory. */
  forget(): void {
    this.#heard = []
  }

  /** The arrival time of the last loud frame; 0 when there was none. */
  lastSound(): number {
    return this.#heard.findLast((frame) => frame.isLoud)?.at ?? 0
  }
}
