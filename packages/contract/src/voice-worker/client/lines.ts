/** The lines of a text body, without their terminators. A last line without one also counts. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    // Only new text is searched: a long line may arrive in thousands of chunks.
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n')
    const next = others.pop()
    if (next === undefined) {
      rest += first
      continue
    }
    yield rest + first
    yield* others
    rest = next
  }
  if (rest !== '') yield rest
}
