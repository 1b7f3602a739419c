import type { ToolOutcome } from '@troupe/agents/ports'
import { type CredentialId, parseJson } from '@troupe/contract'
import { coversHost } from '../credentials/covers-host.ts'
import type { RequestParts } from '../request/request-parts.ts'
import { sendRequest } from '../request/send-request.ts'
import type { ToolBody, ToolUse } from '../tool/tool-maker.ts'
import { SEARCH_SERVICES, type SearchService } from './search-services.ts'

const MAX_BYTES = 1024 * 1024
const USUAL_COUNT = 5
const MAX_COUNT = 10
const MAX_SNIPPET = 600

function failed(message: string): ToolOutcome {
  return { ok: false, code: 'failed', message }
}

/** A service's results, as the model reads them. */
function shown(service: SearchService, outcome: ToolOutcome, count: number): ToolOutcome {
  if (!outcome.ok) return outcome
  const pages = service.read(parsed(outcome.text))
  if (pages === null) return failed('The search service returned an unreadable response.')
  if (pages.length === 0) return { ok: true, text: 'Nothing was found.' }
  const short = pages
    .slice(0, count)
    .map((page) => ({ ...page, snippet: page.snippet.slice(0, MAX_SNIPPET) }))
  return { ok: true, text: JSON.stringify(short) }
}

function parsed(text: string): unknown {
  const answer = parseJson(text)
  return answer.ok ? answer.value : null
}

/** Searches the web with the service that its credential belongs to. */
export function webSearch(
  credentialId: CredentialId | null,
  { agent }: ToolUse,
  parts: RequestParts,
): ToolBody {
  return {
    description: 'Searches the web and returns titles, addresses and snippets of pages.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400, description: 'A few words' },
        count: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_COUNT,
          description: `Pages; ${USUAL_COUNT} by default`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    idempotent: true,
    async execute({ query, count = USUAL_COUNT }, call) {
      const credential = credentialId && (await parts.credentials.find(agent, credentialId))
      if (!credential) {
        return failed(
          `The credential ${credentialId} of this tool does not exist, or this agent may not use it.`,
        )
      }
      const service = SEARCH_SERVICES.find(({ host }) =>
        coversHost(credential.hosts, new URL(`https://${host}`)),
      )
      if (!service) return failed(`The credential ${credential.name} is not for a search service.`)
      const { method, url, body } = service.request(String(query), Number(count))
      const headers = new Headers({ accept: 'application/json' })
      if (body !== null) headers.set('content-type', 'application/json')
      const request = { method, url: new URL(url), headers, body: body && JSON.stringify(body) }
      const outcome = await sendRequest(request, call, {
        fetch: parts.fetch,
        credential,
        maxBytes: MAX_BYTES,
      })
      return shown(service, outcome, Number(count))
    },
  }
}
