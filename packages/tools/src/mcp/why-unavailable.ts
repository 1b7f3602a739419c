import { propertyOf, whyUnreachable } from '@troupe/contract'

/** The codes of an error and of its causes, outermost first. */
function codesOf(error: unknown): { code: string; message: unknown }[] {
  const codes: { code: string; message: unknown }[] = []
  let inner = error
  for (let depth = 0; depth < 8 && inner instanceof Error; depth += 1) {
    const code = propertyOf(inner, 'code')
    if (typeof code === 'string') codes.push({ code, message: inner.message })
    inner = inner.cause
  }
  return codes
}

/**
 * Why a request did not reach a server, in sentences without hosts and addresses.
 *
 * @param got how far the server was reached: a server that has `answered` but is not `connected` does not speak MCP
 */
export function whyNotMcp(error: unknown, got: 'nowhere' | 'answered' | 'connected'): string {
  const codes = codesOf(error)
  // The guarded fetch's own sentence is written for tenants.
  const refused = codes.find(({ code }) => code === 'ADDRESS_NOT_ALLOWED')
  if (typeof refused?.message === 'string') return refused.message
  for (const { code } of codes) {
    const reason = whyUnreachable(code)
    if (reason !== null) return `It cannot be reached: ${reason}.`
  }
  if (got === 'connected') return 'The connection failed.'
  return got === 'answered'
    ? 'It answers, but does not speak MCP over Streamable HTTP.'
    : 'It cannot be reached.'
}

/** Codes of failures before a request is sent. */
const UNSENT =
  /^(ADDRESS_NOT_ALLOWED|ECONNREFUSED|ENOTFOUND|ENODATA|EAI_.*|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$|CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(SSL|TLS)/

/** Whether a request failed before any of it was sent; otherwise its server may have executed it. */
export function isSurelyUnsent(error: unknown): boolean {
  return codesOf(error).some(({ code }) => UNSENT.test(code))
}
