import { isIP } from 'node:net'
import type { Span } from '../rules/spans.ts'
import { isDigit, isLetter } from './characters.ts'

const MAX_LENGTH = 45
const COLON = 58
const DOT = 46
const PERCENT = 37

const isPart = (code: number) => isDigit(code) || isLetter(code) || code === COLON || code === DOT

/** Addresses that do not identify a person: loopback and unspecified. */
const NOBODY = new Set(['127.0.0.1', '0.0.0.0', '::', '::1'])

/** Standalone IPv4 and IPv6 addresses. A version number with four parts is also detected. */
export function ipAddresses(text: string): Span[] {
  const found: Span[] = []
  let at = 0
  while (at < text.length) {
    if (!isPart(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const start = at
    let dots = 0
    let colons = 0
    for (; at < text.length && isPart(text.charCodeAt(at)); at += 1) {
      if (text.charCodeAt(at) === DOT) dots += 1
      if (text.charCodeAt(at) === COLON) colons += 1
    }
    if (at - start > MAX_LENGTH + 6 || (dots < 3 && colons < 2)) continue
    let end = at
    while (end > start && text.charCodeAt(end - 1) === DOT) end -= 1
    const isZoned = text.charCodeAt(end) === PERCENT
    const address = withoutPort(text.slice(start, end))
    if (!isZoned && isIP(address) !== 0 && !NOBODY.has(address)) {
      found.push({ start, end: start + address.length })
    }
  }
  return found
}

/** `192.0.2.1:443` without its port. */
function withoutPort(address: string): string {
  const [host = '', port, ...more] = address.split(':')
  return port !== undefined && more.length === 0 && host.includes('.') ? host : address
}
