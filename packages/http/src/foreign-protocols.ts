import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorBody } from '@troupe/contract'
import { openAiError } from './openai-protocol/error.ts'

/** A foreign protocol of some routes: their clients send the API key as a bearer token. */
type ForeignProtocol = 'openai' | 'mcp'

const PATHS = /^\/api\/v1\/(?:(openai)|(mcp))(?:[/?#]|$)/

/** The protocol of a URL, also of one without a route; null for the API itself. */
export function protocolOf(url: string): ForeignProtocol | null {
  const [, openai, mcp] = PATHS.exec(url) ?? []
  return openai ? 'openai' : mcp ? 'mcp' : null
}

/** The bearer token of a request, unchecked. */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(authorization)?.[1]
}

/** The body of an error in the format for the URL's client. */
export function errorBodyFor(url: string, body: ErrorBody): object {
  return protocolOf(url) === 'openai' ? openAiError(body) : body
}
