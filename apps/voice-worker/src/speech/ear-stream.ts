import type { ReadableStream } from 'node:stream/web'
import { TransformStream } from 'node:stream/web'
import { EarText } from '@troupe/speech'

/** The spoken form of a streamed answer. Its run stores the written form. */
export function earStream(language: string): (text: ReadableStream<string>) => ReadableStream<string> {
  return (text) => {
    const ear = new EarText(language)
    return text.pipeThrough(
      new TransformStream<string, string>({
        transform(piece, controller) {
          const spoken = ear.add(piece)
          if (spoken !== '') controller.enqueue(spoken)
        },
        flush(controller) {
          const spoken = ear.end()
          if (spoken !== '') controller.enqueue(spoken)
        },
      }),
    )
  }
}
