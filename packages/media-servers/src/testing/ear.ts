import { setTimeout as pause } from 'node:timers/promises'
import { isLoud, joined, type Speech } from './audio.ts'

interface Heard {
  /** When the frame arrived, in milliseconds since the epoch. */
  at: number
  isLoud: boolean
  samples: Int16Array
}

/** What a caller hears, frame by frame. */
export class Ear {
  readonly #rate: number
  #heard: Heard[] = []

  constructor(rate: number) {
    this.#rate = rate
  }

  hear(samples: Int16Array): void {
    this.#heard.push({ at: Date.now(), isLoud: isLoud(samples), samples: Int16Array.from(samples) })
  }

  /** When the first loud frame after `since` arrived. */
  async firstSound(since: number, patienceMs = 20_000): Promise<number> {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const found = this.#heard.find((frame) => frame.at > since && frame.isLoud)
      if (found !== undefined) return found.at
      if (Date.now() > giveUpAt) throw new Error(`Nothing was heard within ${patienceMs} ms`)
      await pause(5)
    }
  }

  /** Everything said after `since`, once it has been quiet for `quietMs`. */
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

  /** Drops everything that was heard, so that a long conversation takes no memory. */
  forget(): void {
    this.#heard = []
  }

  /** When the last loud frame arrived; 0 when there was none. */
  lastSound(): number {
    return this.#heard.findLast((frame) => frame.isLoud)?.at ?? 0
  }
}
