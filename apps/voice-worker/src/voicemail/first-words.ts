import { type CallGreeting, callGreeting } from './call-greeting.ts'

/** A callee who is silent for this long is a person who waits. */
const NO_SPEECH_MS = 3_000
/** Silence that ends a person's few words, and that ends more words or an announcement. */
const PERSON_SILENCE_MS = 800
const LONG_SILENCE_MS = 1_500
/** The max length of a person's first words. */
const SHORT_SPEECH_MS = 2_500
/** No announcement is this short, so its transcript is not awaited. */
const HELLO_MS = 1_200
/** Longer speech without a transcript within this time is a person's. */
const TEXT_MS = 3_000
/** A callee who is still speaking then is a person; announcements are awaited for longer. */
const PERSON_LIMIT_MS = 20_000
const ANNOUNCEMENT_LIMIT_MS = 60_000

/** Detects who answers a call by the first words and the silence after them. Uses no model. All times are milliseconds. */
export class FirstWords implements Disposable {
  readonly who: Promise<CallGreeting>
  readonly #settle: (who: CallGreeting) => void
  readonly #began = Date.now()
  readonly #texts: string[] = []
  #timer: NodeJS.Timeout
  #limit: NodeJS.Timeout
  #spokenSince: number | null = null
  #silentSince: number | null = null
  #isOver = false

  constructor() {
    const { promise, resolve } = Promise.withResolvers<CallGreeting>()
    this.who = promise
    this.#settle = resolve
    this.#timer = setTimeout(() => this.#end(), NO_SPEECH_MS)
    this.#limit = setTimeout(() => this.#late(), PERSON_LIMIT_MS)
  }

  /** Whether there is a transcript. */
  get hasText(): boolean {
    return this.#texts.length > 0
  }

  speechBegan(): void {
    clearTimeout(this.#timer)
    this.#spokenSince ??= Date.now()
    this.#silentSince = null
  }

  speechEnded(): void {
    this.#silentSince = Date.now()
    this.#wait()
  }

  /** A part of the words was transcribed. */
  understood(text: string): void {
    this.#texts.push(text)
    this.#wait()
  }

  /** No longer awaited: a person is assumed. */
  [Symbol.dispose](): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#limit)
    this.#settle('person')
  }

  #said(): CallGreeting {
    return callGreeting(this.#texts.join(' '))
  }

  #wait(): void {
    if (this.#isOver || this.#spokenSince === null || this.#silentSince === null) return
    const enough = this.#enoughSilence(this.#silentSince - this.#spokenSince)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), Math.max(0, this.#silentSince + enough - Date.now()))
  }

  #enoughSilence(spokenMs: number): number {
    if (!this.hasText) return spokenMs <= HELLO_MS ? PERSON_SILENCE_MS : TEXT_MS
    const isPerson = this.#said() === 'person' && spokenMs <= SHORT_SPEECH_MS
    return isPerson ? PERSON_SILENCE_MS : LONG_SILENCE_MS
  }

  #late(): void {
    const left = this.#began + ANNOUNCEMENT_LIMIT_MS - Date.now()
    if (this.#said() === 'person') this.#end()
    else this.#limit = setTimeout(() => this.#end(), left)
  }

  #end(): void {
    this.#settle(this.#said())
    this[Symbol.dispose]()
  }
}
