import { PII_ENTITIES, type PiiEntity } from '@troupe/contract'
import type { Span } from '../rules/spans.ts'
import { type DigitGroup, digitChains, MOST_GROUPS } from './digit-groups.ts'
import { emailAddresses } from './email-addresses.ts'
import { ibans } from './ibans.ts'
import { ipAddresses } from './ip-addresses.ts'
import {
  isCard,
  isGermanTaxId,
  isPhone,
  isUsSsn,
  mayBeNumber,
  readNumber,
  type WrittenNumber,
} from './numbers.ts'

/** Personal data in a text. */
export interface PiiSpan extends Span {
  entity: PiiEntity
}

/** Minimum digits of a telephone number. */
const FEWEST_DIGITS = 8
/** Only international telephone numbers have more groups. */
const MOST_GROUPS_OF_OTHERS = 5

/** The kind of a number; null if it has none. */
function kindOf(number: WrittenNumber, hasPlus: boolean): PiiEntity | null {
  if (number.groups <= MOST_GROUPS_OF_OTHERS) {
    if (isCard(number)) return 'card'
    if (isUsSsn(number)) return 'us_ssn'
    if (isGermanTaxId(number)) return 'de_tax_id'
  } else if (!hasPlus && !number.digits.startsWith('0')) {
    return null
  }
  return isPhone(number, hasPlus) ? 'phone' : null
}

/** Length of `+`, `(`, `+(` or `(+` before a number. */
function openingBefore(text: string, start: number): { length: number; hasPlus: boolean } {
  let length = 0
  let hasPlus = false
  while (length < 2) {
    const character = text[start - 1 - length]
    if (character !== '+' && character !== '(') break
    hasPlus ||= character === '+'
    length += 1
  }
  return { length, hasPlus }
}

/** The longest number that starts with this group. */
function numberFrom(
  text: string,
  chain: readonly DigitGroup[],
  from: number,
): { to: number; span: PiiSpan } | null {
  const first = chain[from]
  if (!first) return null
  const opening = openingBefore(text, first.start)
  const isMarked = opening.hasPlus || first.digits.startsWith('0')
  const end = Math.min(chain.length, from + MOST_GROUPS)
  let left = 0
  for (let at = from; at < end; at += 1) left += chain[at]?.digits.length ?? 0
  for (let to = end; to > from && left >= FEWEST_DIGITS; to -= 1) {
    const last = chain[to - 1]
    if (!last) return null
    const digits = left
    left -= last.digits.length
    if (!mayBeNumber({ groups: to - from, digits, first: first.digits.length, isMarked })) continue
    const entity = kindOf(readNumber(chain, from, to), opening.hasPlus)
    if (entity !== null) return { to, span: { entity, start: first.start - opening.length, end: last.end } }
  }
  return null
}

function numbers(text: string): PiiSpan[] {
  const found: PiiSpan[] = []
  for (const chain of digitChains(text)) {
    for (let from = 0; from < chain.length; from += 1) {
      const number = numberFrom(text, chain, from)
      if (!number) continue
      found.push(number.span)
      from = number.to - 1
    }
  }
  return found
}

const tagged = (entity: PiiEntity, spans: readonly Span[]): PiiSpan[] =>
  spans.map((span) => ({ ...span, entity }))

/** Personal data of these kinds in a text, in order and without overlaps. Takes time linear in the text. */
export function findPii(text: string, entities: readonly PiiEntity[] = PII_ENTITIES): PiiSpan[] {
  const all = [
    ...tagged('email', emailAddresses(text)),
    ...tagged('iban', ibans(text)),
    ...tagged('ip_address', ipAddresses(text)),
    ...numbers(text),
  ]
    .filter(({ entity }) => entities.includes(entity))
    .sort((a, b) => a.start - b.start || b.end - a.end)
  const found: PiiSpan[] = []
  for (const span of all) if (span.start >= (found.at(-1)?.end ?? 0)) found.push(span)
  return found
}
