import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunksOf } from './chunks-of.ts'
import { bytesOfTokens } from './estimated-tokens.ts'

const LIMITS = { chunkTokens: 40, overlapTokens: 8 }
const texts = (text: string, limits = LIMITS) => [...chunksOf(text, limits)].map((chunk) => chunk.text)

test('paragraphs are joined while they fit, and a chunk begins with its headings', () => {
  const text =
    '# Refunds\n\nMoney back.\n\nWithin 14 days.\n\n## Abroad\n\nWithin 30 days.\n\n# Shipping\nFree.'
  expect(texts(text)).toEqual([
    '# Refunds\n\nMoney back.\n\nWithin 14 days.',
    '# Refunds\n## Abroad\n\nWithin 30 days.',
    '# Shipping\n\nFree.',
  ])
})

test('a heading without text is a passage unless one below it repeats it', () => {
  expect(texts('# A\n## B\ntext\n# C\n# D')).toEqual(['# A\n## B\n\ntext', '# C', '# D'])
})

test('seven hashes, or hashes without a space, are text', () => {
  expect(texts('####### seven\n\n#tag')).toEqual(['####### seven\n\n#tag'])
})

test('a long paragraph is cut after sentences, and neighbours overlap', () => {
  const sentences = Array.from({ length: 12 }, (_, at) => `Sentence number ${at} says something.`)
  const chunks = texts(sentences.join(' '))
  expect(chunks.length).toBeGreaterThan(3)
  for (const chunk of chunks.slice(0, -1)) expect(chunk).toMatch(/\.$/)
  for (const [at, chunk] of chunks.slice(1).entries()) {
    const repeated = chunk.split(' ').slice(0, 2).join(' ')
    expect(chunks[at]).toContain(repeated)
  }
})

test('a chunk has the page on which it begins, and names the others where they begin', () => {
  const chunks = [...chunksOf('One.\f\fThree.\f# Four\nText.', LIMITS)]
  expect(chunks.map(({ page, text }) => [page, text])).toEqual([
    [1, 'One.\n\n[page 3]\nThree.'],
    [4, '# Four\n\nText.'],
  ])
  expect([...chunksOf('No pages.', LIMITS)][0]?.page).toBeNull()
})

test('words that a chunk repeats from the page before make that page its first', () => {
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(' ')
  const chunks = [...chunksOf(`${words(10, 30)}\f${words(30, 42)}`, LIMITS)]
  expect(chunks.map(({ page }) => page)).toEqual([1, 1])
  expect(chunks[1]?.text).toMatch(/^word2\d .*\n\n\[page 2\]\nword30 /)
})

test('an empty text has no chunks', () => {
  expect(texts('')).toEqual([])
  expect(texts(' \n\n\t\f ')).toEqual([])
})

const piece = fc.oneof(
  fc.constantFrom('# ', '\n', '\n\n', '\f', ' ', '. ', '### deep\n'),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.lorem({ maxCount: 80, mode: 'words' }),
)
const documents = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('').toWellFormed())

test('no chunk is larger than its limit, empty or ill-formed', () => {
  fc.assert(
    fc.property(
      documents,
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 0, max: 150 }),
      (text, chunkTokens, overlapTokens) => {
        for (const chunk of texts(text, { chunkTokens, overlapTokens })) {
          expect(Buffer.byteLength(chunk)).toBeLessThanOrEqual(bytesOfTokens(chunkTokens))
          expect(chunk.trim()).not.toBe('')
          expect(chunk.isWellFormed()).toBe(true)
        }
      },
    ),
  )
})

test('the time for short paragraphs grows with their number, not with its square', () => {
  const msOf = (paragraphs: number) => {
    const text = 'Я\n\n'.repeat(paragraphs)
    const before = process.threadCpuUsage()
    expect(texts(text, { chunkTokens: 400, overlapTokens: 60 }).length).toBeGreaterThan(paragraphs / 400)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  msOf(20_000)
  const few = Math.min(msOf(30_000), msOf(30_000))
  // Eight times as much: the time is 64-fold when each paragraph searches the rest of the text.
  expect(msOf(240_000)).toBeLessThan(24 * Math.max(few, 5))
})

test('every word of a text is in a chunk, and the same text yields the same chunks', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 400, mode: 'words' }), (text) => {
      const chunks = texts(text)
      expect(new Set(chunks.join(' ').split(/\s+/))).toEqual(new Set(text.split(/\s+/)))
      expect(texts(text)).toEqual(chunks)
    }),
  )
})
