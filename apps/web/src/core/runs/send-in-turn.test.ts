import { expect, test } from 'vitest'
import { sendInTurn } from './send-in-turn.ts'

test('a refused change keeps none of the others from being sent, and is not forgotten', async () => {
  const { signal } = new AbortController()
  const send = async (item: number) => (item === 2 ? 'refused' : null)
  expect(await sendInTurn([1, 2, 3], send, signal)).toEqual({ done: 2, failures: ['refused'] })
})

test('nothing is sent once it was stopped', async () => {
  const life = new AbortController()
  const sent: number[] = []
  const send = async (item: number) => {
    sent.push(item)
    if (item === 2) life.abort()
    return null
  }
  expect(await sendInTurn([1, 2, 3], send, life.signal)).toEqual({ done: 2, failures: [] })
  expect(sent).toEqual([1, 2])
})
