import { readFileSync } from 'node:fs'
import { PII_ENTITIES, type PiiEntity } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutSpans } from '../rules/spans.ts'
import { LABELLED_TEXTS } from '../testing/labelled-texts.ts'
import { findPii } from './find-pii.ts'

/** Counts of true positives, false positives and false negatives. */
interface Score {
  right: number
  wrong: string[]
  missed: string[]
}

function measure(): Map<PiiEntity, Score> {
  const scores = new Map(
    PII_ENTITIES.map((entity): [PiiEntity, Score] => [entity, { right: 0, wrong: [], missed: [] }]),
  )
  for (const { text, pii } of LABELLED_TEXTS) {
    const expected = new Set(pii.map(([entity, value]) => `${entity} ${value}`))
    for (const { entity, start, end } of findPii(text)) {
      const found = `${entity} ${text.slice(start, end)}`
      const score = scores.get(entity)
      if (!score) continue
      if (expected.delete(found)) score.right += 1
      else score.wrong.push(`${found} in "${text}"`)
    }
    for (const missed of expected) {
      const entity = PII_ENTITIES.find((one) => missed.startsWith(`${one} `))
      if (entity) scores.get(entity)?.missed.push(missed)
    }
  }
  return scores
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole).toFixed(2)

/** The table in the guide. */
function table(scores: ReadonlyMap<PiiEntity, Score>): string[] {
  const row = (name: string, { right, wrong, missed }: Score) =>
    `| ${name} | ${right + missed.length} | ${share(right, right + wrong.length)} | ${share(right, right + missed.length)} |`
  const all = [...scores.values()].reduce((sum, one) => ({
    right: sum.right + one.right,
    wrong: [...sum.wrong, ...one.wrong],
    missed: [...sum.missed, ...one.missed],
  }))
  return [...[...scores].map(([entity, score]) => row(`\`${entity}\``, score)), row('all', all)]
}

test('precision and recall on the labelled texts are those of the guide', () => {
  const scores = measure()
  const lines = table(scores)
  console.log(['| entity | in the set | precision | recall |', '|---|---|---|---|', ...lines].join('\n'))
  const problems = [...scores.values()].flatMap(({ wrong }) => wrong)
  // Both look valid: part of an invalid IBAN is like a telephone number, and a version is like an IP address.
  expect(problems).toEqual([
    'phone 0044 0532 0130 00 in "IBAN DE00 3704 0044 0532 0130 00 has a wrong checksum."',
    'ip_address 1.2.3.4 in "Version 1.2.3.4 replaces 10.0.1."',
  ])
  expect([...scores.values()].flatMap(({ missed }) => missed)).toEqual([
    'phone 4155552671',
    'phone 01711234567',
    'phone 9018200',
  ])
  const guide = readFileSync(new URL('../../../../../docs/guides/guardrails.md', import.meta.url), 'utf8')
  for (const line of lines) expect(guide).toContain(line)
})

test('only the chosen kinds are found', () => {
  const text = 'ana@example.com pays with 4111 1111 1111 1111'
  expect(findPii(text, ['card']).map(({ entity }) => entity)).toEqual(['card'])
})

test('redacted text keeps everything else', () => {
  const text = 'Ana <ana@example.com>, card 4111 1111 1111 1111!'
  expect(withoutSpans(text, findPii(text))).toBe('Ana <[redacted]>, card [redacted]!')
})

test('spans of any text are in order, within the text and without overlaps', () => {
  const piece = fc.constantFrom(
    '4111 1111 1111 1111',
    'a@b.co',
    '+49 30 901820',
    ' ',
    '-',
    '.',
    '(',
    '7',
    'é',
    '😀',
    '1.2.3.4',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      let last = 0
      for (const { start, end } of findPii(text)) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        last = end
      }
      expect(last).toBeLessThanOrEqual(text.length)
    }),
  )
})
