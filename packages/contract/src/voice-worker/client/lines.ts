/** The lines of a body of text, without their ends. A last line without an end counts too. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    // Only what is new is searched: a long line may arrive in thousands of pieces.
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
