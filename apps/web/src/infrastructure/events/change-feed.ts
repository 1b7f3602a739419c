import type { IdText, OrganizationId } from '@troupe/contract'
import { OPERATION_TABLE } from '../client/operation-rows.ts'
import { requestUrl } from '../client/request-url.ts'
import { noteRefusal, signedOut } from '../client/server-signals.ts'
import type { ChangeNote, FeedNote, ReadyNote } from './change-note.ts'
import { electReader } from './elect-reader.ts'
import { RecentNotes } from './recent-notes.ts'
import { newTopics, reconnectMs, SharedTopics } from './shared-topics.ts'

type Message =
  | { kind: 'topics'; tab: string; topics: readonly string[] }
  | { kind: 'who' }
  | { kind: 'note'; note: ChangeNote }
  | { kind: 'ready'; ready: ReadyNote }
  /** For a tab that begins to listen while others do. */
  | { kind: 'joined'; tab: string; ready: ReadyNote; notes: readonly ChangeNote[] }

interface Source {
  events: EventSource
  topics: readonly string[]
}

const HIDDEN_MS = 60_000
/** A page that opens and one that closes change the topics several times; one connection follows. */
const SETTLE_MS = 50

/**
 * The changes of one organization. Over HTTP/1.1 a browser has six connections to a host, so only one tab reads (`elect-reader.ts`)
 * and forwards them to the others. Hidden tabs unsubscribe after a minute.
 *
 * A change of the wanted topics replaces the connection. The old one is read until the new one is ready, so topics of both miss no
 * change, and only listeners to added topics get `ready`. Pages send their requests before the connection is ready;
 * `configurationSince` of `ready` is the time from which changes of the configuration are sent anyway.
 */
export class ChangeFeed {
  readonly #organizationId: IdText<OrganizationId>
  readonly #tab = Math.random().toString(36).slice(2)
  readonly #wanted = new SharedTopics()
  readonly #listeners = new Map<(note: FeedNote) => void, readonly string[]>()
  readonly #recent = new RecentNotes(() => Date.now())
  readonly #channel: BroadcastChannel
  readonly #life = new AbortController()
  #isReader = false
  #source: Source | null = null
  /** Read until `#source` is ready. */
  #former: Source | null = null
  /** Topics without a gap since their last `ready`. */
  #covered: readonly string[] = []
  #connecting: ReturnType<typeof setTimeout> | undefined
  #attempt = 0

  constructor(organizationId: IdText<OrganizationId>) {
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
    // Nothing is read while signed out, and a refused connection is not retried by itself.
    const stop = signedOut.subscribe(() => this.#connectSoon())
    signal.addEventListener('abort', () => {
      stop()
      clearTimeout(hiding)
    })
    this.#becomeReader(signal)
  }

  /** Listens until the returned function is called. */
  listen(topics: readonly string[], listener: (note: FeedNote) => void): () => void {
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
    clearTimeout(this.#connecting)
    this.#disconnect()
    this.#channel.close()
  }

  #becomeReader(signal: AbortSignal): void {
    electReader(`troupe-changes-${this.#organizationId}`, this.#tab, signal, {
      begin: () => {
        this.#isReader = true
        this.#channel.postMessage({ kind: 'who' } satisfies Message)
        this.#connectSoon()
      },
      stop: () => {
        this.#isReader = false
        clearTimeout(this.#connecting)
        this.#disconnect()
      },
    })
  }

  #ownTopics(): string[] {
    return [...new Set([...this.#listeners.values()].flat())]
  }

  #say(topics: readonly string[]): void {
    if (this.#life.signal.aborted) return
    this.#wanted.set(this.#tab, topics)
    this.#channel.postMessage({ kind: 'topics', tab: this.#tab, topics } satisfies Message)
    this.#connectSoon()
  }

  #receive(message: Message): void {
    if (message.kind === 'note') this.#tell(message.note)
    else if (message.kind === 'ready') this.#tellReady(message.ready)
    else if (message.kind === 'joined') {
      if (message.tab !== this.#tab) return
      this.#tellReady(message.ready)
      for (const note of message.notes) this.#tell(note)
    } else if (message.kind === 'who') this.#say(document.hidden ? [] : this.#ownTopics())
    else {
      const { tab, topics } = message
      if (this.#isReader && !this.#wanted.has(tab) && topics.length > 0) this.#welcome(tab)
      this.#wanted.set(tab, topics)
      this.#connectSoon()
    }
  }

  /** The changes that another tab's page missed between its first request and now, if this connection has received them. */
  #welcome(tab: string): void {
    if (this.#covered.length === 0) return
    const { since, notes } = this.#recent.all()
    const ready = { topics: this.#covered, configurationSince: since }
    this.#channel.postMessage({ kind: 'joined', tab, ready, notes } satisfies Message)
  }

  #tell(note: ChangeNote): void {
    for (const [listener, topics] of this.#listeners) {
      if (topics.includes(note.topic)) listener({ kind: 'changed', note })
    }
  }

  #tellReady({ topics: ready, configurationSince }: ReadyNote): void {
    for (const [listener, topics] of this.#listeners) {
      if (topics.some((topic) => ready.includes(topic))) listener({ kind: 'ready', configurationSince })
    }
  }

  #connectSoon(afterMs = SETTLE_MS): void {
    clearTimeout(this.#connecting)
    if (this.#isReader) this.#connecting = setTimeout(() => this.#connect(), afterMs)
  }

  /** Adapts the connection to the wanted topics. */
  #connect(): void {
    const topics = signedOut.get() ? [] : this.#wanted.all()
    if (this.#source?.topics.join() === topics.join()) return
    const path = OPERATION_TABLE.streamEvents?.path
    if (topics.length === 0 || !path) {
      this.#disconnect()
      return
    }
    this.#former?.events.close()
    this.#former = this.#source
    const query = { topics: topics.join(',') }
    const events = new EventSource(requestUrl(path, this.#organizationId, { query }))
    const source = { events, topics }
    this.#source = source
    events.addEventListener('ready', ({ data }: MessageEvent<string>) => {
      const { coveredMs }: { coveredMs: number | null } = JSON.parse(data)
      this.#beReady(source, Date.now() - (coveredMs ?? 0))
    })
    events.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      const note: ChangeNote = JSON.parse(data)
      // The previous connection has sent it.
      if (!this.#recent.isNew(note)) return
      this.#channel.postMessage({ kind: 'note', note } satisfies Message)
      this.#tell(note)
    })
    events.onerror = () => this.#lose(source)
  }

  #beReady(source: Source, configurationSince: number): void {
    if (source !== this.#source) return
    this.#attempt = 0
    this.#former?.events.close()
    this.#former = null
    const topics = newTopics(this.#covered, source.topics)
    this.#covered = source.topics
    if (topics.length === 0) return
    if (topics.includes('configuration')) this.#recent.startAt(configurationSince)
    const ready = { topics, configurationSince }
    this.#channel.postMessage({ kind: 'ready', ready } satisfies Message)
    this.#tellReady(ready)
  }

  /**
   * Lost connections reconnect by themselves; a refused one does not, and may mean that the membership has ended.
   */
  #lose(source: Source): void {
    this.#covered = []
    if (source !== this.#source || source.events.readyState !== EventSource.CLOSED) return
    noteRefusal()
    this.#disconnect()
    this.#connectSoon(reconnectMs(this.#attempt))
    this.#attempt += 1
  }

  #disconnect(): void {
    this.#source?.events.close()
    this.#former?.events.close()
    this.#source = null
    this.#former = null
    this.#covered = []
  }
}
