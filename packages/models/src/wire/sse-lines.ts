/** Changes a line, without its end, of a stream; what it returns is sent in its place. */
export type ChangeLine = (line: string) => string

/** The lines of a stream of server-sent events, each changed as soon as it is whole. */
export function changesLines(
  change: ChangeLine,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  // The last line so far, in pieces: joining it anew with each piece would be quadratic in a long line.
  let line: string[] = []
  const lines = (text: string): string => {
    const pieces = text.split('\n')
    const last = pieces.pop() ?? ''
    let out = ''
    for (const piece of pieces) {
      const whole = [...line, piece].join('')
      line = []
      out += `${change(whole)}\n`
    }
    if (last !== '') line.push(last)
    return out
  }
  return new TransformStream({
    transform(bytes, controller) {
      const out = lines(decoder.decode(bytes, { stream: true }))
      if (out !== '') controller.enqueue(encoder.encode(out))
    },
    flush(controller) {
      const rest = [...line, decoder.decode()].join('')
      if (rest !== '') controller.enqueue(encoder.encode(change(rest)))
    },
  })
}
