/** A session that can be left. */
export interface PooledSession {
  /** Whether nothing is lost or missed when it is dropped: everything is saved and kept, and no component follows it. */
  readonly isIdle: boolean
}

/** Sessions by key. Only the most recently used idle ones stay in memory. */
export class SessionPool<Session extends PooledSession> {
  readonly #sessions = new Map<string, Session>()
  readonly #mostIdle: number

  constructor(mostIdle: number) {
    this.#mostIdle = mostIdle
  }

  /** The session of a key, created on demand. */
  get(key: string, make: () => Session): Session {
    const known = this.#sessions.get(key)
    const session = known ?? make()
    // The last entry of a map is the most recently used one.
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    if (known === undefined) this.#dropIdle(key)
    return session
  }

  values(): Session[] {
    return [...this.#sessions.values()]
  }

  #dropIdle(opened: string): void {
    const idle = [...this.#sessions].filter(([key, session]) => key !== opened && session.isIdle)
    for (const [key] of idle.slice(0, Math.max(0, idle.length - this.#mostIdle))) this.#sessions.delete(key)
  }
}
