import type { McpEndpoint } from './mcp-endpoint.ts'

/** Shorter values are ordinary words. */
const MIN_HIDDEN = 8
/** Parameters of a URL whose values are credentials. */
const CREDENTIAL = /key|token|secret|sig|auth|pass|cred|code|session/i

/** The secrets to hide, because a server may return them; includes the part after the scheme of `Bearer token`. */
export function secretsOf({ url, headers, secrets, values = [] }: McpEndpoint): string[] {
  const inHeaders = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)])
  const { username, password, searchParams } = new URL(url)
  const inUrl = [...searchParams]
    .filter(([name]) => CREDENTIAL.test(name))
    .flatMap(([, value]) => [value, encodeURIComponent(value)])
  const all = [...inHeaders, ...values, ...inUrl, username, password]
  return [...secrets, ...all.filter(({ length }) => length >= MIN_HIDDEN)]
}
