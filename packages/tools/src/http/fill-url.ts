import type { QueryTemplate, Template, UrlTemplate } from '@troupe/contract'
import {
  type FillValues,
  fillText,
  type Placeholder,
  soleValue,
  textOf,
  Unfillable,
} from './fill-template.ts'

const HOST = /^[A-Za-z0-9.-]{1,253}$/
const DOTS = /^(\.|%2e){1,2}$/i

/** A query pair to be appended; objects and nested lists as JSON. */
export type Pair = readonly [key: string, value: string]

/** A list yields one pair per item, an absent or null value none. */
export function pairsOf(key: string, value: unknown): Pair[] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => ((item ?? null) === null ? [] : [[key, textOf(item)] as const]))
}

function filledQuery({ key, value }: QueryTemplate, values: FillValues): Pair[] {
  const sole = soleValue(value, values)
  return sole ? pairsOf(key, sole.value) : [[key, fillText(value, values, (text) => text)]]
}

/** A value of the context may be a host name, but nothing more. */
function filledAuthority(authority: Template, values: FillValues): string {
  const placeholders: Placeholder[] = []
  const filled = fillText(authority, values, (text, part) => {
    if (!HOST.test(text)) throw new Unfillable(part, 'is not a host name')
    placeholders.push(part)
    return text
  })
  // For example, the address 1.2.3.4.5.
  const [first] = placeholders
  if (first && !URL.canParse(`http://${filled}`)) throw new Unfillable(first, 'is not a host name')
  return filled
}

/** The encoding of an argument in a path; each character that could end its segment is encoded. */
export type PathText = (argument: string, value: unknown) => string

/** A value stays within its segment: it can neither end it nor make it `.` or `..`, which servers resolve. */
function filledPath(path: Template, values: FillValues, write?: PathText): string {
  const dots: Placeholder[] = []
  const filled = fillText(path, values, (text, part, value) => {
    const written = write && part.kind === 'argument' ? write(part.name, value) : null
    if (written === null && typeof value === 'object') {
      throw new Unfillable(part, 'must be text, a number or a boolean in a path')
    }
    const encoded = written ?? encodeURIComponent(text)
    if (encoded === '') throw new Unfillable(part, 'must not be empty in a path')
    if (DOTS.test(encoded)) dots.push(part)
    return encoded
  })
  const [first] = dots
  if (first && filled.split('/').some((segment) => DOTS.test(segment))) {
    throw new Unfillable(first, 'must not be dots alone in a path')
  }
  return filled
}

/**
 * The URL with its values. No argument changes its scheme, host, port or number of path segments.
 *
 * @param options `encodedPairs` are further pairs of the query, already encoded
 * @throws Unfillable
 */
export function fillUrl(
  url: UrlTemplate,
  query: readonly QueryTemplate[],
  values: FillValues,
  more: readonly Pair[],
  { writePath, encodedPairs = [] }: { writePath?: PathText; encodedPairs?: readonly Pair[] } = {},
): URL {
  const origin = `${url.scheme}://${filledAuthority(url.authority, values)}`
  const pairs = [...query.flatMap((pair) => filledQuery(pair, values)), ...more]
  const written = pairs.map(([key, value]): Pair => [encoded(key), encoded(value)])
  const filled = new URL(`${origin}${filledPath(url.path, values, writePath)}`)
  filled.search = [...written, ...encodedPairs].map(([key, value]) => `${key}=${value}`).join('&')
  return filled
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
