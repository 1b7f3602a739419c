import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { BOUNDED_PATTERNS, ELSEWHERE } from './text-budget/elsewhere.ts'
import { TEXT_FUNCTIONS } from './text-budget/functions.ts'
import { JSON_WORK } from './text-budget/json-work.ts'
import { productTextWork } from './text-budget/product.ts'
import { type FoundPattern, textWorkOf } from './text-budget/text-work.ts'

// The rule is in ARCHITECTURE.md, "A budget for every piece of text". It is enforced in three ways: each function that takes text
// is measured, and so is each regular expression (text-growth.test.ts); each expression is analysed and every file that searches
// texts is covered (here). The bound of work on whole JSON values is also listed for each file.

const work = productTextWork()
const patterns = work.flatMap((found) => found.patterns)

const isBounded = ({ path, source }: FoundPattern) => BOUNDED_PATTERNS[path] === source

describe('a regular expression', () => {
  test('has no superlinear search found by the analysis', () => {
    const wrong = patterns
      .filter((pattern) => !isBounded(pattern))
      .flatMap(({ path, source, flags }) => {
        const { reports } = analyse({ source, flags })
        return reports.map(({ type }) => `${path}: /${source}/ ${type}`)
      })
    expect(wrong).toEqual([])
  })

  test('is listed as bounded only at its place', () => {
    const unused = Object.entries(BOUNDED_PATTERNS).filter(
      ([path, source]) => !patterns.some((pattern) => pattern.path === path && pattern.source === source),
    )
    expect(unused).toEqual([])
  })
})

describe('a file that searches texts', () => {
  const measured = new Set(TEXT_FUNCTIONS.flatMap(({ paths }) => paths))
  const known = new Set([...measured, ...Object.keys(ELSEWHERE)])

  // Code in the browser of the user who opened the text blocks nobody else.
  const isBrowser = (path: string) => /^(apps\/web|packages\/editor)\/src\//.test(path)

  test('has a row among the functions, or a reason to have none', () => {
    const missing = work.filter(({ path, calls }) => calls.size > 0 && !known.has(path) && !isBrowser(path))
    expect(missing.map(({ path, calls }) => `${path} (${[...calls].join(', ')})`)).toEqual([])
  })

  test('is listed once, and exists', () => {
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

describe('a file that parses, writes, copies or validates whole JSON values', () => {
  const isBrowser = (path: string) => /^(apps\/web|packages\/editor)\/src\//.test(path)
  const done = work.filter(({ path, json }) => json.size > 0 && !isBrowser(path))
  const covers = (named: string, path: string) =>
    named.endsWith('/') ? path.startsWith(named) : path === named
  const rows = JSON_WORK.flatMap(({ files, calls }) => files.map((path) => ({ path, calls })))

  test('states the bound of the values: others use parseJson, and values have bounds before they are traversed', () => {
    const missing = done.flatMap(({ path, json }) => {
      const known = rows.filter((row) => covers(row.path, path)).flatMap(({ calls }) => calls)
      const calls = [...json].filter((call) => !known.includes(call))
      return calls.length === 0 ? [] : [`${path} (${calls.join(', ')})`]
    })
    expect(missing).toEqual([])
  })

  test('is listed where there is such work', () => {
    const unused = rows.filter(
      (row) =>
        !done.some(({ path, json }) => covers(row.path, path) && row.calls.some((call) => json.has(call))),
    )
    expect(unused.map(({ path }) => path)).toEqual([])
  })

  test('is found by every such call', () => {
    const found = (text: string) => [...textWorkOf({ path: 'a.ts', text }).json]
    expect(found('const a = JSON.parse(b)')).toEqual(['parse'])
    expect(found('const a = await response.json()')).toEqual(['parse'])
    expect(found('const a = { b: JSON.stringify(c, null, 2) }')).toEqual(['write'])
    expect(found('const a = structuredClone(b)')).toEqual(['copy'])
    expect(found('const check = validator(Schema); const c = new Ajv()')).toEqual(['validate'])
    expect(found('Schema.safeParse(a); compiled.Check(b); Errors(schema, a)')).toEqual(['validate'])
    expect(found('reply.json({ a: 1 }); a.toString(); Date.parse(b)')).toEqual([])
  })
})
