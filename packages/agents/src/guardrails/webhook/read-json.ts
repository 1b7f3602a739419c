import { parseJson } from '@troupe/contract'

/** Maximum size of a response: room for a replacement as long as the text. */
const MAX_BYTES = 1024 * 1024

/** The JSON of a response. @throws Error for a status above 299, a response that is too long, and invalid JSON */
export async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`It answered ${response.status}.`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error('Its answer has more than 1 MB.')
    chunks.push(chunk)
  }
  const parsed = parseJson(Buffer.concat(chunks).toString('utf8'))
  if (!parsed.ok)
    throw new Error(
      parsed.excess === null ? 'It did not answer with JSON.' : `Its JSON has ${parsed.excess}.`,
    )
  return parsed.value
}
