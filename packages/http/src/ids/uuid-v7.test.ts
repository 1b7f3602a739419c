import { isUuid } from '@troupe/contract'
import { expect, test } from 'vitest'
import { uuidV7 } from './uuid-v7.ts'

test('ids are valid, unique, and sort by their millisecond', () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => uuidV7(1_700_000_000_000 + at))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) {
    expect(isUuid(id)).toBe(true)
    expect(id).toMatch(/^.{14}7.{4}[89ab]/)
  }
})

test('ids of one millisecond sort in creation order, however many there are', () => {
  for (let round = 0; round < 5; round += 1) {
    const ids = Array.from({ length: 10_000 }, () => uuidV7(1_800_000_000_000 + round))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
  }
})

test('ids keep their order when the clock is set back by seconds', () => {
  const ids = Array.from({ length: 1_000 }, (_, at) =>
    uuidV7(1_850_000_000_000 + (at % 2 === 0 ? 0 : -9_000)),
  )
  expect(ids.toSorted()).toEqual(ids)
})

test('ids follow the clock when it is set back further', () => {
  uuidV7(1_900_000_000_000)
  expect(Number.parseInt(uuidV7(1_700_000_000_000).replace('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000)
})
