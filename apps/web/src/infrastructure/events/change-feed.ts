import { OPERATION_TABLE } from '../client/operation-table.ts'
import { requestUrl } from '../client/request-url.ts'
import { signedOut } from '../client/server-signals.ts'
import { reconnectMs, SharedTopics } from './shared-topics.ts'

/** What changed, as the server says it: pages ask for what they show. */
export interface ChangeNote {
  /** null: the connection is new, and anything may have changed before. */
  topic: string | null
  change: { action: string; entityKind: string; entityId: string } | null
}

type Message =
  | { kind: 'topics'; tab: string; topics: readonly string[] }
  | { kind: 'who' }
  | { kind: 'note'; note: ChangeNote }

const HIDDEN_MS = 60_000

/**
 * The changes of one organization. Over HTTP/1.1 a browser has six connections to a host, so only one tab reads (the
 * holder of a Web Lock) and tells the others. Hidden tabs stop wanting after a minute.
 */
export class ChangeFeed {
  readonly #organizationId: string
  readonly #tab = Math.random().toString(36).slice(2)
  readonly #wanted = new SharedTopics()
  readonly #listeners = new Map<(note: ChangeNote) => void, readonly string[]>()
  readonly #channel: BroadcastChannel
  readonly #life = new AbortController()
  #isReader = false
  #source: { events: EventSource; topics: string } | null = null
  #attempt = 0

  constructor(organizationId: string) {
    this.#organizationId = organizationId
    this.#channel = new BroadcastChannel(`troupe-changes-${organizationId}`)
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#receive(data)
    const { signal } = this.#life
    let hiding: ReturnType<typeof setTimeout> | undefined
    document.addEventListener(
      'visibilitychange',
      () => {
        clearTimeout(hiding)
        if (document.hidden) hiding = setTimeout(() => this.#say([]), HIDDEN_MS)
        else this.#say(this.#ownTopics())
      },
      { signal },
    )
    addEventListener('pagehide', () => this.#say([]), { signal })
    this.#becomeReader(signal)
  }

  /** Listens until the returned function is called. */
  listen(topics: readonly string[], listener: (note: ChangeNote) => void): () => void {
    this.#listeners.set(listener, topics)
    this.#say(this.#ownTopics())
    return () => {
      this.#listeners.delete(listener)
      this.#say(this.#ownTopics())
    }
  }

  close(): void {
    this.#say([])
    this.#life.abort()
    this.#source?.events.close()
    this.#channel.close()
  }

  #becomeReader(signal: AbortSignal): void {
    const read = () => {
      this.#isReader = true
      this.#channel.postMessage({ kind: 'who' } satisfies Message)
      this.#connect()
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    // Plain http on another host than localhost has no locks: each tab reads for itself.
    if (!('locks' in navigator)) void read()
    else
      navigator.locks
        .request(`troupe-changes-${this.#organizationId}`, { signal }, read)
        .catch(() => undefined)
  }

  #ownTopics(): string[] {
    return [...new Set([...this.#listeners.values()].flat())]
  }

  #say(topics: readonly string[]): void {
    this.#wanted.set(this.#tab, topics)
    if (!this.#life.signal.aborted)
      this.#channel.postMessage({ kind: 'topics', tab: this.#tab, topics } satisfies Message)
    this.#connect()
  }

  #receive(message: Message): void {
    if (message.kind === 'note') this.#tell(message.note)
    else if (message.kind === 'who') this.#say(document.hidden ? [] : this.#ownTopics())
    else {
      this.#wanted.set(message.tab, message.topics)
      this.#connect()
    }
  }

  #tell(note: ChangeNote): void {
    for (const [listener, topics] of this.#listeners) {
      if (note.topic === null || topics.includes(note.topic)) listener(note)
    }
  }

  /** Makes the connection fit what is wanted. */
  #connect(): void {
    const topics = this.#wanted.all().join(',')
    if (!this.#isReader || this.#life.signal.aborted || (this.#source?.topics ?? '') === topics) return
    this.#source?.events.close()
    this.#source = null
    const path = OPERATION_TABLE.streamEvents?.path
    if (topics === '' || !path) return
    const events = new EventSource(requestUrl(path, this.#organizationId, { query: { topics } }))
    this.#source = { events, topics }
    events.onmessage = ({ data }: MessageEvent<string>) => this.#read(data)
    for (const name of ['ready', 'changed']) {
      events.addEventListener(name, (event) => event instanceof MessageEvent && this.#read(event.data))
    }
    events.onopen = () => {
      this.#attempt = 0
    }
    events.onerror = () => {
      // Lost connections come back by themselves; a refused one does not.
      if (events.readyState !== EventSource.CLOSED || this.#source?.events !== events) return
      this.#source = null
      const again = setTimeout(() => signedOut.get() || this.#connect(), reconnectMs(this.#attempt))
      this.#attempt += 1
      this.#life.signal.addEventListener('abort', () => clearTimeout(again))
    }
  }

  #read(data: string): void {
    const note: ChangeNote = JSON.parse(data)
    this.#channel.postMessage({ kind: 'note', note } satisfies Message)
    this.#tell(note)
  }
}
