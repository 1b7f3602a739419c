import type { RecordedBody } from './recorded-request.ts'

/** Deterministic 8-dimensional embeddings: the share of each of eight classes of character codes. */
export function embeddingsOf(body: RecordedBody): Record<string, unknown> {
  const values = [body.input ?? []].flat()
  return {
    object: 'list',
    model: body.model,
    data: values.map((value, index) => ({ object: 'embedding', index, embedding: classes(value) })),
    usage: { prompt_tokens: values.length, total_tokens: values.length },
  }
}

function classes(text: string): number[] {
  const counts = new Array<number>(8).fill(0)
  for (const character of text) {
    const slot = (character.codePointAt(0) ?? 0) % 8
    counts[slot] = (counts[slot] ?? 0) + 1 / text.length
  }
  return counts
}
