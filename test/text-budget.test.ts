import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { type Source, workspaces } from './layering/sources.ts'
import { ADVERSARIES } from './text-budget/adversaries.ts'
import { attacksOn } from './text-budget/attacks.ts'
import { BOUNDED_PATTERNS, ELSEWHERE } from './text-budget/elsewhere.ts'
import { TEXT_FUNCTIONS } from './text-budget/functions.ts'
import { growthOf } from './text-budget/growth.ts'
import { type FoundPattern, textWorkOf } from './text-budget/text-work.ts'

// The rule is in ARCHITECTURE.md, "A budget for every piece of text". These tests hold it three ways: each function that
// takes text is measured, each regular expression is analysed and measured, and no file that looks through texts is left out.

const product: Source[] = workspaces()
  .filter(({ folder }) => folder !== 'packages/test-kit' && folder !== 'bench')
  .flatMap(({ sources }) => sources.filter(({ isTest, isTool }) => !isTest && !isTool))
const work = product.map((source) => ({ path: source.path, ...textWorkOf(source) }))
const patterns = work.flatMap((found) => found.patterns)

const isBounded = ({ path, source }: FoundPattern) => BOUNDED_PATTERNS[path] === source

/** Growth is measured in time, and other programs of the machine disturb it; work that grows too fast fails every time. */
const MEASURES_TIME = { timeout: 120_000, retry: 2 }

describe('a function that takes text', () => {
  test.for(TEXT_FUNCTIONS)('$name ($paths) is linear in every text', MEASURES_TIME, ({ run }) => {
    for (const { name, textOf } of ADVERSARIES) {
      const growth = growthOf(run, textOf)
      expect(growth, name).toMatchObject({ isSuperlinear: false })
    }
  })
})

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

  test('is linear in texts that begin it again and again', MEASURES_TIME, () => {
    for (const { path, source, flags } of patterns.filter((pattern) => !isBounded(pattern))) {
      const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
      for (const { name, textOf } of attacksOn(source)) {
        const growth = growthOf((text) => text.replaceAll(expression, 'x'), textOf)
        expect(growth, `${path}: /${source}/ on ${name}`).toMatchObject({ isSuperlinear: false })
      }
    }
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

  test('has a row among the functions, or a reason to have none', () => {
    const missing = work.filter(({ path, calls }) => calls.size > 0 && !known.has(path))
    expect(missing.map(({ path, calls }) => `${path} (${[...calls].join(', ')})`)).toEqual([])
  })

  test('is named once, and exists', () => {
    const paths = new Set(product.map(({ path }) => path))
    expect([...known].filter((path) => !paths.has(path))).toEqual([])
    expect(Object.keys(ELSEWHERE).filter((path) => measured.has(path))).toEqual([])
  })
})

describe('the measurement', MEASURES_TIME, () => {
  const spend = (steps: number) => {
    let value = 0
    for (let step = 0; step < steps; step += 1) value = (value + Math.sqrt(step)) % 1_000
    return value
  }

  test.for<[string, (size: number) => number]>([
    ['quadratic', (size) => (size * size) / 4],
    ['quadratic with a small factor', (size) => (size * size) / 64],
    ['cubic', (size) => size ** 3 / 1_024],
    ['of the power 1.8', (size) => size ** 1.8 * 2],
  ])('finds work that is %s', ([, stepsFor]) => {
    const { isSuperlinear } = growthOf(
      (text) => spend(stepsFor(text.length)),
      (size) => 'a'.repeat(size),
    )
    expect(isSuperlinear).toBe(true)
  })

  test.for<[string, (size: number) => number]>([
    ['linear', (size) => size * 200],
    ['linear with a logarithm', (size) => size * Math.log2(size) * 20],
    ['constant', () => 1_000_000],
    ['quadratic up to a limit', (size) => Math.min(size, 1_000) ** 2],
  ])('accepts work that is %s', ([, stepsFor]) => {
    const { isSuperlinear } = growthOf(
      (text) => spend(stepsFor(text.length)),
      (size) => 'a'.repeat(size),
    )
    expect(isSuperlinear).toBe(false)
  })

  test('finds the quadratic expression for JSON Web Tokens, which no analysis of it finds', () => {
    const source = String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`
    const found = attacksOn(source).some(
      ({ textOf }) => growthOf((text) => text.replaceAll(new RegExp(source, 'g'), ''), textOf).isSuperlinear,
    )
    expect(found).toBe(true)
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
