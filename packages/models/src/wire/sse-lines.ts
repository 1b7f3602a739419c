type Bytes = Uint8Array<ArrayBuffer>

/** Receives a line of a stream without its line break, and returns the line to use in its place. */
export type ChangeLine = (line: string) => string

/** The lines of one stream of server-sent events, each changed as soon as it is whole. */
export class ChangedLines {
  readonly #change: ChangeLine
  readonly #decoder = new TextDecoder()
  readonly #encoder = new TextEncoder()
  /** The current incomplete line, in chunks: joining them with each chunk would be quadratic for a long line. */
  #line: string[] = []

  constructor(change: ChangeLine) {
    this.#change = change
  }

  /**
   * The lines that are completed by these bytes; null if there are none. Bytes of unchanged whole lines are returned as
   * they are.
   */
  push(bytes: Bytes): Bytes | null {
    const pieces = this.#decoder.decode(bytes, { stream: true }).split('\n')
    const last = pieces.pop() ?? ''
    let isSame = this.#line.length === 0 && last === ''
    let out = ''
    for (const piece of pieces) {
      const whole = this.#line.length === 0 ? piece : [...this.#line, piece].join('')
      this.#line = []
      const changed = this.#change(whole)
      if (changed !== whole) isSame = false
      out += `${changed}\n`
    }
    if (last !== '') this.#line.push(last)
    if (out === '') return null
    return isSame ? bytes : this.#encoder.encode(out)
  }

  /** The incomplete line at the end of the stream; null if there is none. */
  end(): Bytes | null {
    const rest = [...this.#line, this.#decoder.decode()].join('')
    this.#line = []
    return rest === '' ? null : this.#encoder.encode(this.#change(rest))
  }
}
