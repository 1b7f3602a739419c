import type { Span } from '../rules/spans.ts'
import { isDigit, isLetter } from './characters.ts'

const MAX_LOCAL = 64
const MAX_DOMAIN = 253
const LOCAL_MARKS = new Set([...'.!#$%&*+/=?^_{|}~-'].map((mark) => mark.charCodeAt(0)))
const DOT = 46
const HYPHEN = 45

const isLocal = (code: number) => isLetter(code) || isDigit(code) || LOCAL_MARKS.has(code) || code >= 0xc0
const isDomain = (code: number) =>
  isLetter(code) || isDigit(code) || code === HYPHEN || code === DOT || code >= 0xc0

/** A domain has at least two labels, none empty, and ends with one of letters. */
function isHost(domain: string): boolean {
  const labels = domain.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length > 1 &&
    labels.every((label) => label !== '') &&
    last.length >= 2 &&
    !isDigit(last.charCodeAt(0))
  )
}

/** E-mail addresses: each `@` is examined once, with at most {@link MAX_DOMAIN} characters around it. */
export function emailAddresses(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > 0 && at - start < MAX_LOCAL && isLocal(text.charCodeAt(start - 1))) start -= 1
    while (start < at && text.charCodeAt(start) === DOT) start += 1
    let end = at + 1
    while (end < text.length && end - at <= MAX_DOMAIN && isDomain(text.charCodeAt(end))) end += 1
    while (end > at && (text.charCodeAt(end - 1) === DOT || text.charCodeAt(end - 1) === HYPHEN)) end -= 1
    if (start < at && isHost(text.slice(at + 1, end))) found.push({ start, end })
  }
  return found
}
