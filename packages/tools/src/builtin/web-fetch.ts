import { setImmediate } from 'node:timers/promises'
import { htmlText } from '@troupe/knowledge'
import { sendRequest } from '../request/send-request.ts'
import type { ToolBody } from '../tool/tool-maker.ts'

const MAX_BYTES = 1024 * 1024
const HTML = new Set(['text/html', 'application/xhtml+xml'])

/** The readable text of a page, processed in chunks between which other work runs; other texts unchanged. */
async function readable(text: string, type: string): Promise<string> {
  if (!HTML.has(type)) return text
  const pieces: string[] = []
  for (const piece of htmlText(text)) {
    pieces.push(piece)
    await setImmediate()
  }
  const plain = pieces
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return plain || 'The page has no text.'
}

/** Reads a page or another text from the web. */
export function webFetch(fetch: typeof globalThis.fetch): ToolBody {
  return {
    description: 'Reads a web page or another text by its address. Pages are returned as plain text.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', maxLength: 4_096, description: 'For example https://example.com/page' },
      },
      required: ['url'],
      additionalProperties: false,
    },
    idempotent: true,
    async execute({ url: address }, call) {
      const url = URL.parse(String(address))
      if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
        const message = 'The url must be an http or https address without a user name.'
        return { ok: false, code: 'invalid_arguments', message }
      }
      const headers = new Headers({ accept: 'text/html, text/*;q=0.9, application/json;q=0.8, */*;q=0.1' })
      const request = { method: 'GET', url, headers, body: null }
      return sendRequest(request, call, { fetch, credential: null, maxBytes: MAX_BYTES, present: readable })
    },
  }
}
