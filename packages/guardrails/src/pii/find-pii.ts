import { PII_ENTITIES, type PiiEntity } from '@troupe/contract'
import type { Span } from '../rules/spans.ts'
import { type DigitGroup, digitChains, MOST_GROUPS } from './digit-groups.ts'
import { emailAddresses } from './email-addresses.ts'
import { ibans } from './ibans.ts'
import { ipAddresses } from './ip-addresses.ts'
import { isCard, isGermanTaxId, isPhone, isUsSsn } from './numbers.ts'

/** Personal data in a text. */
export interface PiiSpan extends Span {
  entity: PiiEntity
}

/** Digits of the shortest telephone number and of the longest card. */
const FEWEST_DIGITS = 8
const MOST_DIGITS = 19
/** Only telephone numbers with a country have more groups. */
const MOST_GROUPS_OF_OTHERS = 5

/** The kind of a number; null when it is nobody's. */
function kindOf(groups: readonly DigitGroup[], before: string): PiiEntity | null {
  if (groups.length <= MOST_GROUPS_OF_OTHERS) {
    if (isCard(groups)) return 'card'
    if (isUsSsn(groups)) return 'us_ssn'
    if (isGermanTaxId(groups)) return 'de_tax_id'
  } else if (!before.endsWith('+') && !groups[0]?.digits.startsWith('0')) {
    return null
  }
  return isPhone(groups, before) ? 'phone' : null
}

/** The longest number that begins with this group. */
function numberFrom(
  text: string,
  chain: readonly DigitGroup[],
  from: number,
): { to: number; span: PiiSpan } | null {
  const first = chain[from]
  if (!first) return null
  const opening = text.slice(Math.max(0, first.start - 2), first.start)
  const before = opening.endsWith('(') ? opening.slice(0, -1) : opening
  const longest = chain.slice(from, from + MOST_GROUPS)
  let left = longest.reduce((sum, { digits }) => sum + digits.length, 0)
  for (let to = from + longest.length; to > from && left >= FEWEST_DIGITS; to -= 1) {
    const last = chain[to - 1]
    if (!last) return null
    const count = left
    left -= last.digits.length
    const entity = count <= MOST_DIGITS ? kindOf(chain.slice(from, to), before) : null
    if (entity === null) continue
    const opens =
      opening.length - opening.trimEnd().length === 0 ? (/[+(]{0,2}$/.exec(opening)?.[0].length ?? 0) : 0
    return { to, span: { entity, start: first.start - opens, end: last.end } }
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
