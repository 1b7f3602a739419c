import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallGreeting } from './call-greeting.ts'
import { FirstWords } from './first-words.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The detected kind, and the milliseconds until the detection; null: not yet. */
async function meeting(callee: (words: FirstWords) => Promise<unknown>) {
  using words = new FirstWords()
  const began = Date.now()
  const known: { who: CallGreeting; afterMs: number }[] = []
  void words.who.then((who) => known.push({ who, afterMs: Date.now() - began }))
  await callee(words)
  await vi.advanceTimersByTimeAsync(0)
  return known[0] ?? null
}

/** Simulates speech of this duration; it is transcribed 300 ms after its end. */
async function say(words: FirstWords, text: string | null, ms: number): Promise<void> {
  words.speechBegan()
  await vi.advanceTimersByTimeAsync(ms)
  words.speechEnded()
  await vi.advanceTimersByTimeAsync(300)
  if (text !== null) words.understood(text)
}

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a silent callee is a person after three seconds', async () => {
  expect(await meeting(() => after(10_000))).toEqual({ who: 'person', afterMs: 3_000 })
})

test('a short hello is a person as soon as it ends, with or without a transcript', async () => {
  for (const text of ['hello', null]) {
    const known = await meeting(async (words) => {
      await after(1_000)
      await say(words, text, 600)
      await after(10_000)
    })
    expect(known).toEqual({ who: 'person', afterMs: 2_400 })
  }
})

test('an announcement with a pause is detected once it is over', async () => {
  const known = await meeting(async (words) => {
    await say(words, "Hi, you've reached the office of Anna Miller and company.", 3_000)
    await after(700)
    await say(words, 'Please leave a message after the tone.', 2_500)
    await after(10_000)
  })
  expect(known).toEqual({ who: 'voicemail', afterMs: 3_000 + 300 + 700 + 2_500 + 1_500 })
})

test('a person who says more than hello is answered after a longer silence', async () => {
  const known = await meeting(async (words) => {
    await say(words, 'Acme Bakery, good morning, this is Lisa, what can I do for you?', 4_000)
    await after(10_000)
  })
  expect(known).toEqual({ who: 'person', afterMs: 5_500 })
})

test('a callee who talks for twenty seconds is a person, unless it is an announcement', async () => {
  const talking = await meeting(async (words) => {
    words.speechBegan()
    await after(30_000)
  })
  expect(talking).toEqual({ who: 'person', afterMs: 20_000 })
  const announcing = await meeting(async (words) => {
    words.speechBegan()
    words.understood('This is the voice mail of')
    await after(90_000)
  })
  expect(announcing).toEqual({ who: 'voicemail', afterMs: 60_000 })
})

test('a call that ends in the meantime is not waited for', async () => {
  const words = new FirstWords()
  words[Symbol.dispose]()
  expect(await words.who).toBe('person')
})
