import type { Logger } from 'pino'

const LOOK_EVERY_MS = 50
const LONGEST_STALL_MS = 200
const MOST_NAMED = 5

/** Candidates for the cause of a stall. */
export interface StallSources {
  log: Pick<Logger, 'warn' | 'info'>
  /** Ids of the active runs. */
  runs: () => readonly string[]
  /** Milliseconds from now on during which stalls are not logged: a boot loads modules and blocks no caller. */
  quietMs?: number
}

/**
 * Logs every block of the event loop of more than 200 ms, with the active routes and runs. A stall is detected only afterwards, so requests
 * that ended since the last check are listed too.
 */
export class StallLog implements Disposable {
  readonly #sources: StallSources
  readonly #open = new Map<object, string>()
  readonly #timer: NodeJS.Timeout
  #ended: string[] = []
  readonly #quietUntil: number
  #lookedAt = performance.now()
  #cpuMs = cpuMs()

  constructor(sources: StallSources) {
    this.#sources = sources
    this.#quietUntil = this.#lookedAt + (sources.quietMs ?? 0)
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  /** A request has started; `route` is the pattern, without ids of tenants. */
  began(request: object, route: string): void {
    this.#open.set(request, route)
  }

  ended(request: object): void {
    const route = this.#open.get(request)
    if (route === undefined) return
    this.#open.delete(request)
    this.#ended.push(route)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    const cpu = cpuMs()
    const stallMs = Math.round(now - this.#lookedAt - LOOK_EVERY_MS)
    if (stallMs > LONGEST_STALL_MS && this.#lookedAt >= this.#quietUntil) {
      const routes = [...new Set([...this.#ended, ...this.#open.values()])].slice(0, MOST_NAMED)
      const runs = this.#sources.runs().slice(0, MOST_NAMED)
      const usedMs = Math.round(cpu - this.#cpuMs)
      const facts = { stallMs, cpuMs: usedMs, routes, runs }
      // Little CPU time means a busy or suspended machine, or a slow disk.
      if (usedMs * 2 >= stallMs) this.#sources.log.warn(facts, 'the event loop was blocked')
      else this.#sources.log.info(facts, 'the event loop waited for the machine')
    }
    this.#ended = []
    this.#lookedAt = now
    this.#cpuMs = cpu
  }
}

/** CPU time of the process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
