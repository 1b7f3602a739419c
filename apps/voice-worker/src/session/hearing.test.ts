import type { stt } from '@livekit/agents'
import type { SttChoice } from '@troupe/contract/voice-worker'
import { expect, test } from 'vitest'
import { Hearing } from './hearing.ts'

const choice = (model: string): SttChoice => ({
  ...{ provider: 'openai', model, baseUrl: null, apiKey: null, grammar: null },
})

async function hearing() {
  const made: string[] = []
  let failovers = 0
  const begun = await Hearing.begin(
    [choice('first'), choice('second')],
    async ([first]) => {
      made.push(String(first?.model))
      // No other member is used.
      return { close: async () => {} } as stt.STT
    },
    () => {
      failovers += 1
    },
  )
  return { begun, made, failovers: () => failovers }
}

test('a provider that transcribes nothing twice in a row is replaced by the next one', async () => {
  const { begun, made, failovers } = await hearing()
  await begun.again()
  await begun.again()
  expect(made).toEqual(['first', 'first', 'second'])
  expect(failovers()).toBe(1)
})

test('an occasional cough does not replace a provider that transcribes the words in between', async () => {
  const { begun, made, failovers } = await hearing()
  for (let cough = 0; cough < 3; cough += 1) {
    await begun.again()
    begun.understood()
  }
  expect(made).toEqual(['first', 'first', 'first', 'first'])
  expect(failovers()).toBe(0)
})
