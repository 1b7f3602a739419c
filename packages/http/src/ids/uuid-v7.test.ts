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

test('ids of one millisecond sort in the order in which they were made', () => {
  for (let round = 0; round < 20; round += 1) {
    const ids = Array.from({ length: 2_000 }, () => uuidV7(1_800_000_000_000 + round))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
  }
})
