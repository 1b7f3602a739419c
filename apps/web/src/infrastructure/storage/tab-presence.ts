import { newTabId, tabId } from './tab-id.ts'

/**
 * Milliseconds after which an unresponsive tab counts as gone, and within which an unloaded page releases its lock.
 */
const PATIENCE_MS = 1000

/** The browser's means for tabs to detect each other. */
export interface TabSignals {
  /** Absent over plain http. */
  locks: Pick<LockManager, 'request'> | undefined
  /** null: none. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'> | null
}

/** The living tabs of this browser. Two tabs have two ids, even if one was duplicated from the other. */
export class TabPresence {
  /** Of this tab; it outlives a reload. */
  readonly id: Promise<string>
  readonly #prefix: string
  readonly #signals: TabSignals
  #own: string | null = null

  /** @param name of the data stored by tab; names are independent of each other */
  constructor(name: string, signals: TabSignals) {
    this.#prefix = `troupe-${name}-`
    this.#signals = signals
    this.id = this.#claim()
    signals.channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const asked = askedTab(data)
      if (asked !== null && asked === this.#own) signals.channel?.postMessage({ here: asked })
    })
  }

  /** The id of this tab; null: it is not known yet. */
  get idNow(): string | null {
    return this.#own
  }

  /**
   * Runs `work` on the data of a tab that no longer lives. If liveness is unknown, nothing is taken over.
   *
   * @returns whether it ran
   */
  async whenGone(tab: string, work: () => Promise<void>): Promise<boolean> {
    const { locks, channel } = this.#signals
    if (locks !== undefined) {
      return await locks.request(this.#prefix + tab, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await work()
        return lock !== null
      })
    }
    // Two tabs that ask concurrently both take it over: the second one finds the values taken already.
    if (channel === null || (await this.#answers(tab))) return false
    await work()
    return true
  }

  async #claim(): Promise<string> {
    const known = tabId()
    this.#own = (await this.#isFree(known)) ? known : newTabId()
    // Nobody else knows a new id.
    if (this.#own !== known && this.#signals.locks !== undefined) await this.#hold(this.#own)
    return this.#own
  }

  async #isFree(tab: string): Promise<boolean> {
    return this.#signals.locks === undefined ? !(await this.#answers(tab)) : await this.#hold(tab)
  }

  /** Holds the lock of an id as long as this page lives. @returns false: another tab has it */
  #hold(tab: string): Promise<boolean> {
    const { locks } = this.#signals
    return new Promise((resolve) => {
      const forever = () => {
        resolve(true)
        return new Promise<void>(() => undefined)
      }
      // A reloaded page releases it a little later.
      const signal = AbortSignal.timeout(PATIENCE_MS)
      locks?.request(this.#prefix + tab, { signal }, forever).catch(() => resolve(false))
    })
  }

  /** Whether another tab claims an id. */
  #answers(tab: string): Promise<boolean> {
    const { channel } = this.#signals
    if (channel === null) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (isThere: boolean) => {
        clearTimeout(timer)
        channel.removeEventListener('message', hear)
        resolve(isThere)
      }
      const hear = ({ data }: MessageEvent<unknown>) => {
        if (isRecord(data) && data.here === tab) end(true)
      }
      const timer = setTimeout(() => end(false), PATIENCE_MS)
      channel.addEventListener('message', hear)
      channel.postMessage({ ask: tab })
    })
  }
}

/** The presence of this tab by the available means: locks, which exist over https and on localhost, or messages. */
export function browserTabs(name: string): TabPresence {
  const locks = 'locks' in navigator ? navigator.locks : undefined
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`troupe-${name}`) : null
  return new TabPresence(name, { locks, channel })
}

function askedTab(data: unknown): string | null {
  return isRecord(data) && typeof data.ask === 'string' ? data.ask : null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
