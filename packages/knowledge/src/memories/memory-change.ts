import { askedTerms, searchTerms } from '../search/search-terms.ts'

/** A known memory about a user. */
interface KnownMemory<Id> {
  id: Id
  text: string
}

/** Texts to keep with their fingerprints, and ids to forget. */
interface ChangedMemories<Id> {
  add: { text: string; fingerprint: string }[]
  forget: Id[]
}
/** Maximum characters of one memory; longer ones are truncated. */
const LONGEST_MEMORY = 500
/** Maximum texts that one change may add. */
const MOST_ADDED = 20
/** Share of common words above which a new memory replaces an older one. */
const SAME_WORDS = 0.7

/** The fingerprint of a text. It is stored, so the algorithm must not change. */
const fingerprintOf = (text: string) =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].join(' ')

/** Whether the common words are at least {@link SAME_WORDS} of all words of both. */
function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one]
  const needed = (SAME_WORDS * (one.size + other.size)) / (1 + SAME_WORDS)
  let possible = fewer.size
  for (const word of fewer) {
    if (possible < needed) return false
    if (!more.has(word)) possible -= 1
  }
  return possible > 0 && possible >= needed
}

/** The text of a memory on one line, without characters that could close a block of a prompt. */
function storedText(text: string): string {
  return text.slice(0, LONGEST_MEMORY).replaceAll('<', '‹').replaceAll(/\s+/g, ' ').trim()
}

/**
 * The change that keeps `texts` and forgets the memories with these ids. Among texts with nearly the same words only the newest is kept.
 */
export function memoryChange<Id extends string>(
  known: readonly KnownMemory<Id>[],
  texts: readonly string[],
  forget: readonly Id[] = [],
): ChangedMemories<Id> {
  const added = new Map<string, { text: string; words: Set<string> }>()
  const superseded = new Set(forget)
  const kept = known.map(({ id, text }) => ({
    id,
    words: searchTerms(text),
    fingerprint: fingerprintOf(text),
  }))
  for (const given of texts.slice(0, MOST_ADDED)) {
    const text = storedText(given)
    const words = searchTerms(text)
    const fingerprint = fingerprintOf(text)
    if (fingerprint === '') continue
    for (const [earlier, { words: others }] of added) {
      if (areAlike(words, others)) added.delete(earlier)
    }
    added.set(fingerprint, { text, words })
    for (const memory of kept) {
      // Equal texts share one row, which becomes the newest.
      if (memory.fingerprint === fingerprint || superseded.has(memory.id)) continue
      if (areAlike(words, memory.words)) superseded.add(memory.id)
    }
  }
  return {
    add: [...added].map(([fingerprint, { text }]) => ({ text, fingerprint })),
    forget: [...superseded],
  }
}

const textsIn = (value: unknown) =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

function fieldsOf(answer: unknown): { remember?: unknown; forget?: unknown } {
  return typeof answer === 'object' && answer !== null ? answer : {}
}

/** Parses a model's answer as a change; memories are identified by their number in `known`, from 1. Malformed parts are ignored. */
export function answeredChange<Id extends string>(
  known: readonly KnownMemory<Id>[],
  answer: unknown,
): ChangedMemories<Id> {
  const { remember, forget: given } = fieldsOf(answer)
  const idOf = (n: unknown) => (typeof n === 'number' ? (known[n - 1]?.id ?? null) : null)
  const forget = (Array.isArray(given) ? given : []).flatMap((n) => idOf(n) ?? [])
  return memoryChange(known, textsIn(remember), forget)
}

/** The memories that contain words of a query, those with the most first. */
export function foundMemories<Id extends string>(
  known: readonly KnownMemory<Id>[],
  query: string,
  limit: number,
): KnownMemory<Id>[] {
  const asked = askedTerms(query)
  if (asked.size === 0) return known.slice(0, limit)
  return known
    .map((memory) => ({ memory, common: searchTerms(memory.text).intersection(asked).size }))
    .filter(({ common }) => common > 0)
    .toSorted((a, b) => b.common - a.common)
    .slice(0, limit)
    .map(({ memory }) => memory)
}
