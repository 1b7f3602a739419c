import type { ProviderConnection } from '@troupe/agents/ports'
import { redactText } from '@troupe/contract'

/** Maximum bytes of a provider's own sentence. */
export const MAX_SENTENCE_BYTES = 400

/** Partly masked keys of providers: `sk-ab****************yz12`. */
const STARRED = /[\w-]{0,40}\*{3,}[\w-]{0,40}/g
/** Secrets in the queries of addresses. */
const IN_QUERY = /([?&][\w-]{0,30}(?:key|token|sig|signature|secret|password|code)=)[^\s&#"']{1,2000}/gi
const USER_IN_ADDRESS = /(\/\/)[^\s/@]{1,300}@/g

/** The secrets of a connection: its credentials, and the values of its additional headers. */
function secretsOf({
  credentials,
  settings,
}: Pick<ProviderConnection, 'credentials' | 'settings'>): string[] {
  const headers = Object.values(Object(settings.headers) as Record<string, unknown>)
  const texts = [...Object.values(credentials), ...headers].filter((one) => typeof one === 'string')
  // Providers repeat the token of an `Authorization` header without its scheme.
  return texts.flatMap((one) => [one, ...one.split(' ')]).filter((one) => one.length >= 4)
}

/**
 * A provider's text without the secrets of the connection, and without likely secrets. Secrets are masked before a text
 * is truncated: a truncated secret would not be recognised.
 */
export function hideSecrets(
  text: string,
  connection: Pick<ProviderConnection, 'credentials' | 'settings'>,
): string {
  let clean = text
  for (const secret of secretsOf(connection).toSorted((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(secret, '[secret]')
  }
  return redactText(clean, [])
    .replace(USER_IN_ADDRESS, '$1[redacted]@')
    .replace(IN_QUERY, '$1[redacted]')
    .replace(STARRED, '[redacted]')
}

/** A provider's own sentence for the operator: one line without secrets, at most {@link MAX_SENTENCE_BYTES} bytes. */
export function shownSentence(
  sentence: string | null,
  connection: Pick<ProviderConnection, 'credentials' | 'settings'>,
): string | null {
  if (sentence === null) return null
  // Control characters would forge lines of the log.
  const line = hideSecrets(sentence, connection)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const shown = withinBytes(line.toWellFormed(), MAX_SENTENCE_BYTES)
  return shown === '' ? null : shown
}

/** The start of a text within a number of UTF-8 bytes, with an ellipsis if it was truncated. */
function withinBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text.slice(0, bytes + 1))
  if (text.length <= bytes && encoded.length <= bytes) return text
  const end = bytes - Buffer.byteLength('…')
  let at = end
  // Bytes 10xxxxxx continue a character, which must not be cut.
  while (at > 0 && ((encoded[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return `${encoded.subarray(0, at).toString('utf8').trimEnd()}…`
}
