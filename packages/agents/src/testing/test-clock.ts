import type { Clock } from '../ports/clock.ts'

interface Task {
  /** On the monotonic clock. */
  at: number
  run: () => void
}

/** A clock that a test moves: tasks that become due run in order. Between moves it may advance by itself. */
export class TestClock implements Clock {
  readonly #speed: number
  readonly #origin = Date.now()
  readonly #tasks = new Set<Task>()
  #movedMs = 0

  /**
   * @param speed how fast it advances by itself: 1 like the machine's clock, 20 twenty times as fast, 0 not
   * at all
   */
  constructor({ speed = 1 }: { speed?: number } = {}) {
    this.#speed = speed
  }

  now(): number {
    return Math.floor(this.#origin + (Date.now() - this.#origin) * this.#speed + this.#movedMs)
  }

  monotonic(): number {
    return performance.now() * this.#speed + this.#movedMs
  }

  schedule(ms: number, task: () => void): () => void {
    const timer = this.#speed > 0 ? setTimeout(() => entry.run(), ms / this.#speed) : undefined
    const cancel = () => {
      clearTimeout(timer)
      this.#tasks.delete(entry)
    }
    const entry: Task = {
      at: this.monotonic() + ms,
      run: () => {
        cancel()
        task()
      },
    }
    this.#tasks.add(entry)
    return cancel
  }

  /** Moves the clock by `ms`, which may be negative, and runs the tasks that become due. */
  advance(ms: number): void {
    let left = ms
    for (let next = this.#firstDueIn(left); next; next = this.#firstDueIn(left)) {
      const step = Math.max(0, next.at - this.monotonic())
      this.#movedMs += step
      left -= step
      next.run()
    }
    this.#movedMs += left
  }

  /** Moves the clock to a time in milliseconds since the epoch. */
  moveTo(time: number): void {
    this.advance(time - this.now())
  }

  /** Moves the clock back to the machine's time. */
  reset(): void {
    this.advance(-this.#movedMs)
  }

  /** The number of scheduled tasks. */
  pending(): number {
    return this.#tasks.size
  }

  #firstDueIn(ms: number): Task | undefined {
    const until = this.monotonic() + ms
    return [...this.#tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  }
}
