import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { BOUNDED_PATTERNS, ELSEWHERE } from './text-budget/elsewhere.ts'
import { TEXT_FUNCTIONS } from './text-budget/functions.ts'
import { productTextWork } from './text-budget/product.ts'
import { type FoundPattern, textWorkOf } from './text-budget/text-work.ts'

// The rule is in ARCHITECTURE.md, "A budget for every piece of text". It is held three ways: each function that takes text is
// measured and each regular expression, too (text-growth.test.ts); each expression is analysed and no file that looks
// through texts is left out (here).

const work = productTextWork()
const patterns = work.flatMap((found) => found.patterns)

const isBounded = ({ path, source }: FoundPattern) => BOUNDED_PATTERNS[path] === source

describe('a regular expression', () => {
  test('has no superlinear search that an analysis finds', () => {
    const wrong = patterns
      .filter((pattern) => !isBounded(pattern))
      .flatMap(({ path, source, flags }) => {
        const { reports } = analyse({ source, flags })
        return reports.map(({ type }) => `${path}: /${source}/ ${type}`)
      })
    expect(wrong).toEqual([])
  })

  test('is named as bounded only where it stands', () => {
    const unused = Object.entries(BOUNDED_PATTERNS).filter(
      ([path, source]) => !patterns.some((pattern) => pattern.path === path && pattern.source === source),
    )
    expect(unused).toEqual([])
  })
})

describe('a file that looks through texts', () => {
  const measured = new Set(TEXT_FUNCTIONS.flatMap(({ paths }) => paths))
  const known = new Set([...measured, ...Object.keys(ELSEWHERE)])

  // What runs in the page of the person who opened the text blocks nobody else.
  const isBrowser = (path: string) => path.startsWith('apps/web/src/')

  test('has a row among the functions, or a reason to have none', () => {
    const missing = work.filter(({ path, calls }) => calls.size > 0 && !known.has(path) && !isBrowser(path))
    expect(missing.map(({ path, calls }) => `${path} (${[...calls].join(', ')})`)).toEqual([])
  })

  test('is named once, and exists', () => {
    const paths = new Set(work.map(({ path }) => path))
    expect([...known].filter((path) => !paths.has(path))).toEqual([])
    expect(Object.keys(ELSEWHERE).filter((path) => measured.has(path))).toEqual([])
  })

  test('a new expression, a schema’s pattern and a new search through a text are found', () => {
    const text = `const a = /x+$/u\nconst b = { pattern: '^y' }\nfor (const c of text.matchAll(a)) text.indexOf('x', 3)
      while (text.includes('ab')) text = text.normalize()`
    const found = textWorkOf({ path: 'a.ts', text })
    expect(found.patterns.map(({ source }) => source).sort()).toEqual(['^y', 'x+$'])
    expect([...found.calls].sort()).toEqual([
      ...['includes in a loop', 'indexOf from', 'indexOf in a loop', 'matchAll', 'normalize'],
    ])
  })
})
