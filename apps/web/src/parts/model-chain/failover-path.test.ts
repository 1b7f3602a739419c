import { expect, test } from 'vitest'
import { type ChainStop, failoverPath, timesAsked } from './failover-path.ts'

const stop = (name: string, on: string[], contextLength: number | null = null): ChainStop => ({
  name,
  on,
  contextLength,
})
const CHAIN = [
  stop('primary', [], 8_000),
  stop('small', ['error', 'timeout', 'context_overflow'], 8_000),
  stop('large', ['rate_limit', 'context_overflow'], 200_000),
]
const namesOf = (failure: Parameters<typeof failoverPath>[1]) =>
  failoverPath(CHAIN, failure).map(({ name }) => name)

test('only the fallbacks of a class of failure take over', () => {
  expect(namesOf('error')).toEqual(['primary', 'small'])
  expect(namesOf('rate_limit')).toEqual(['primary', 'large'])
})

test('an input that is too long continues only on a model with a larger context', () => {
  expect(namesOf('context_overflow')).toEqual(['primary', 'large'])
})

test('a refused request is never masked by a fallback', () => {
  expect(namesOf('refused')).toEqual(['primary'])
  expect([timesAsked('refused', 3), timesAsked('error', 3)]).toEqual([1, 3])
})

test('a stopped stream fails the run, or continues on the models that take over on a timeout', () => {
  const names = (midStream: 'fail' | 'restart') =>
    failoverPath(CHAIN, 'stopped', midStream).map(({ name }) => name)
  expect(names('fail')).toEqual(['primary'])
  expect(names('restart')).toEqual(['primary', 'small'])
  expect(timesAsked('stopped', 3)).toBe(1)
})
