import { DomainError } from '@troupe/contract'

/** More fields than any page has. */
const MAX_PAIRS = 5_000
/** In UTF-8, exactly the characters beyond ASCII have bytes from 0x80. */
const ESCAPED_BYTES = /(?:%[89a-f][0-9a-f])+/gi
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A submitted form: one text per name, or a list for a repeated name. */
export type FormBody = ReadonlyMap<string, string | readonly string[]>

/**
 * Parses `application/x-www-form-urlencoded`. A map instead of an object, so that a field named `__proto__`
 * is harmless.
 *
 * @throws DomainError `validation_error` for invalid UTF-8 (escaped or not), NUL characters and too many
 * fields
 */
export function parseFormBody(bytes: Uint8Array): FormBody {
  const fields = new Map<string, string | string[]>()
  const text = decode(bytes)
  // Counted before parsing: each pair would allocate memory, however short.
  let pairs = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    pairs += 1
    if (pairs > MAX_PAIRS) throw new DomainError('validation_error', 'The form has too many fields.')
  }
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.includes('\0') || value.includes('\0')) {
      throw new DomainError('validation_error', 'The form must not contain NUL characters.')
    }
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else if (typeof before === 'string') fields.set(name, [before, value])
    else before.push(value)
  }
  return fields
}

/** The single value of a field, with line feeds as line ends; '' when it is missing or repeated. */
export function fieldText(body: FormBody, name: string): string {
  const value = body.get(name)
  // Browsers post CRLF.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
}

function decode(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes)
    // `URLSearchParams` would replace invalid UTF-8 by a replacement character.
    for (const [escapes] of text.matchAll(ESCAPED_BYTES)) decodeURIComponent(escapes)
    return text
  } catch {
    throw new DomainError('validation_error', 'The form is not valid UTF-8.')
  }
}
