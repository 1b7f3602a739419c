import { McpFailure } from './mcp-failure.ts'

/**
 * The text of a body.
 *
 * @throws McpFailure once it has more than `most` bytes; errors of the stream
 */
export async function readBody({ body, headers }: Response, most: number): Promise<string> {
  if (body === null) return ''
  const tooLarge = async () => {
    await body.cancel().catch(() => {})
    return new McpFailure('lost', 'Its answer is too large.')
  }
  if (Number(headers.get('content-length') ?? 0) > most) throw await tooLarge()
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the body.
    if (bytes > most) throw new McpFailure('lost', 'Its answer is too large.')
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return parts.join('') + decoder.decode()
}
