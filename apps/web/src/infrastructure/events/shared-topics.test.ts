import { expect, test } from 'vitest'
import { newTopics, reconnectMs, SharedTopics } from './shared-topics.ts'

test('the topics of all tabs are one list, and a closed tab has none', () => {
  const topics = new SharedTopics()
  topics.set('a', ['runs', 'reviews'])
  topics.set('b', ['runs', 'configuration'])
  expect(topics.all()).toEqual(['configuration', 'reviews', 'runs'])
  topics.set('a', [])
  expect(topics.all()).toEqual(['configuration', 'runs'])
})

test('never more topics than the server takes', () => {
  const topics = new SharedTopics()
  topics.set(
    'a',
    Array.from({ length: 80 }, (_, index) => `workflow:${index}`),
  )
  expect(topics.all()).toHaveLength(50)
})

test('a refusing server is retried less and less often', () => {
  expect([0, 1, 2, 9].map(reconnectMs)).toEqual([2_000, 4_000, 8_000, 60_000])
})

test('a connection refetches only the topics that the previous one did not have', () => {
  expect(newTopics(['configuration', 'reviews'], ['configuration', 'reviews', 'runs'])).toEqual(['runs'])
  expect(newTopics([], ['runs'])).toEqual(['runs'])
})
