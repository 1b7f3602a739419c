interface Alarm {
  leftMs: number
  startedAt: number
  timer: NodeJS.Timeout | undefined
  ring: () => void
}

/**
 * The working time of a run in this process. It is paused while a person is asked, and so are the time limits of the
 * run and of its members.
 */
export class RunClock {
  readonly #now: () => number
  readonly #alarms = new Set<Alarm>()
  #deadlineAt: number
  #stops = 0
  #stoppedAt = 0

  /** `deadlineAt`: milliseconds since the epoch. */
  constructor(now: () => number, deadlineAt: number) {
    this.#now = now
    this.#deadlineAt = deadlineAt
  }

  /** The end of the run's working time, if the clock does not stop again. */
  get deadlineAt(): number {
    return this.#deadlineAt + (this.#stops > 0 ? this.#now() - this.#stoppedAt : 0)
  }

  /** Stops the clock until the result is disposed; it continues when every stop has ended. */
  stop(): Disposable {
    if (this.#stops === 0) this.#halt()
    this.#stops += 1
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        this.#stops -= 1
        if (this.#stops === 0) this.#goOn()
      },
    }
  }

  #halt(): void {
    this.#stoppedAt = this.#now()
    for (const alarm of this.#alarms) {
      clearTimeout(alarm.timer)
      alarm.leftMs -= this.#stoppedAt - alarm.startedAt
    }
  }

  #goOn(): void {
    this.#deadlineAt += this.#now() - this.#stoppedAt
    for (const alarm of this.#alarms) this.#wind(alarm)
  }

  #wind(alarm: Alarm): void {
    alarm.startedAt = this.#now()
    alarm.timer = setTimeout(() => this.#ring(alarm), Math.max(0, alarm.leftMs))
  }

  #ring(alarm: Alarm): void {
    this.#alarms.delete(alarm)
    alarm.ring()
  }

  /** Calls `ring` after `ms` of working time, unless it is disposed before. */
  alarm(ms: number, ring: () => void): Disposable {
    const alarm: Alarm = { leftMs: ms, startedAt: this.#now(), timer: undefined, ring }
    this.#alarms.add(alarm)
    if (this.#stops === 0) this.#wind(alarm)
    return {
      [Symbol.dispose]: () => {
        clearTimeout(alarm.timer)
        this.#alarms.delete(alarm)
      },
    }
  }
}
