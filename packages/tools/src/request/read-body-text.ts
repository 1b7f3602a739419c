/** The text read from a response. */
export interface Answer {
  text: string
  /** Whether the rest was left unread. */
  cut: boolean
}

const TEXTUAL =
  /^(text\/|application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|x-ndjson|graphql|x-www-form-urlencoded|toml|problem\+json))/

/** The media type of a response, in lower case and without parameters; empty if it has none. */
export function mediaType(response: Response): string {
  return (
    (response.headers.get('content-type') ?? '').split(';', 1)[0]?.slice(0, 200).trim().toLowerCase() ?? ''
  )
}

/** Whether a media type is text for a model; a response without one is treated as text. */
export function isTextual(type: string): boolean {
  return type === '' || TEXTUAL.test(type)
}

function decoderOf(response: Response) {
  const charset = /charset="?([A-Za-z0-9_:.-]{1,40})/i.exec(response.headers.get('content-type') ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}

/**
 * The first `maxBytes` of a response as text; the rest is not read. Bytes that are invalid in the declared encoding are
 * replaced, and a character split by the limit is omitted.
 *
 * @throws errors of reading the body
 */
export async function readBodyText(response: Response, maxBytes: number): Promise<Answer> {
  if (!response.body) return { text: '', cut: false }
  const decoder = decoderOf(response)
  const reader = response.body.getReader()
  const texts: string[] = []
  let room = maxBytes
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: texts.join('') + decoder.decode(), cut: false }
    const kept: Uint8Array = value.subarray(0, room)
    texts.push(decoder.decode(kept, { stream: true }))
    room -= kept.byteLength
    if (kept.byteLength < value.byteLength) {
      await reader.cancel()
      return { text: texts.join(''), cut: true }
    }
  }
}
