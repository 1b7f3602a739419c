import { describe, expect, test } from 'vitest'
import { ADVERSARIES } from './text-budget/adversaries.ts'
import { attacksOn } from './text-budget/attacks.ts'
import { BOUNDED_PATTERNS } from './text-budget/elsewhere.ts'
import { TEXT_FUNCTIONS } from './text-budget/functions.ts'
import { growthOf } from './text-budget/growth.ts'
import { productTextWork } from './text-budget/product.ts'

const unboundedPatterns = productTextWork()
  .flatMap(({ patterns }) => patterns)
  .filter(({ path, source }) => BOUNDED_PATTERNS[path] !== source)

/** Growth is measured in time, and other programs disturb it; superlinear work fails every time. */
const MEASURES_TIME = { timeout: 120_000, retry: 2 }

describe('a function that takes text', () => {
  test.for(TEXT_FUNCTIONS)('$name ($paths) is linear in every text', MEASURES_TIME, ({ run }) => {
    for (const { name, textOf } of ADVERSARIES) {
      const growth = growthOf(run, textOf)
      expect(growth, name).toMatchObject({ isSuperlinear: false })
    }
  })
})

test('a regular expression is linear in texts that start it repeatedly', MEASURES_TIME, () => {
  for (const { path, source, flags } of unboundedPatterns) {
    const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
    for (const { name, textOf } of attacksOn(source)) {
      const growth = growthOf((text) => text.replaceAll(expression, 'x'), textOf)
      expect(growth, `${path}: /${source}/ on ${name}`).toMatchObject({ isSuperlinear: false })
    }
  }
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

  test('finds the quadratic expression for JSON Web Tokens, which static analysis misses', () => {
    const source = String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`
    const found = attacksOn(source).some(
      ({ textOf }) => growthOf((text) => text.replaceAll(new RegExp(source, 'g'), ''), textOf).isSuperlinear,
    )
    expect(found).toBe(true)
  })
})
