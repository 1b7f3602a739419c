import { expect, test } from 'vitest'
import { MORE_PLACES, PLACES } from './places.ts'

test('every page of the route table is on the walk, with the ids of its address', () => {
  expect(Object.keys(PLACES).length).toBeGreaterThan(30)
  expect(PLACES['/']).toEqual([''])
  expect(PLACES['agents/$agentId']).toEqual(['agents/{agentId}'])
  expect(PLACES['runs/$runId']).toContain('runs/{waitingRunId}')
})

test('further states are those of pages of the route table', () => {
  expect(Object.keys(MORE_PLACES).filter((path) => !(path in PLACES))).toEqual([])
})
