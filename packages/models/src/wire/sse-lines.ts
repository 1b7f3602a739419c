type Bytes = Uint8Array<ArrayBuffer>

/** Changes a line, without its end, of a stream; the result is sent instead. */
export type ChangeLine = (line: string) => string

/** The lines of one stream of server-sent events, each changed as soon as it is whole. */
export class ChangedLines {
  readonly #change: ChangeLine
  readonly #decoder = new TextDecoder()
  readonly #encoder = new TextEncoder()
  /** The last line so far, in chunks: joining them with each chunk would be quadratic for a long line. */
  #line: string[] = []

  constructor(change: ChangeLine) {
    this.#change = change
  }

  /** The lines that end in these bytes; null if none does. Bytes of unchanged whole lines are returned as they are. */
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

  /** The unfinished line at the end of the stream; null if there is none. */
  end(): Bytes | null {
    const rest = [...this.#line, this.#decoder.decode()].join('')
    this.#line = []
    return rest === '' ? null : this.#encoder.encode(this.#change(rest))
  }
}
