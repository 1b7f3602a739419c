import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { askAgain } from './ask-again.ts'
import { askedAt } from './asked-at.ts'
import { createQueryClient } from './query-client.ts'

/** A query whose numbered responses the test releases. */
function slowQuestion(client: QueryClient) {
  const answers: ((value: number) => void)[] = []
  const options = {
    queryKey: ['listAgents'],
    queryFn: () => new Promise<number>((resolve) => answers.push(resolve)),
    staleTime: 0,
  }
  const query = () => client.getQueryCache().find({ queryKey: ['listAgents'] })
  return {
    ask: () => void client.fetchQuery(options),
    answer: (n: number) => answers[n - 1]?.(n),
    shown: () => client.getQueryData(['listAgents']),
    askedAt: () => {
      const found = query()
      return found ? askedAt(found) : null
    },
  }
}

test('an answer is as old as its request, however late it arrives', async () => {
  vi.useFakeTimers({ now: 1_000, toFake: ['Date'] })
  const client = createQueryClient()
  const question = slowQuestion(client)
  question.ask()
  expect(question.askedAt()).toBe(1_000)
  vi.setSystemTime(9_000)
  question.answer(1)
  await expect.poll(question.shown).toBe(1)
  expect(question.askedAt()).toBe(1_000)
  vi.setSystemTime(20_000)
  question.ask()
  // The previous response is shown until the next one arrives.
  expect(question.askedAt()).toBe(1_000)
  question.answer(2)
  await expect.poll(question.shown).toBe(2)
  expect(question.askedAt()).toBe(20_000)
  client.clear()
  vi.useRealTimers()
})

test('changes faster than responses are refetched once after the pending response, which is shown', async () => {
  const client = createQueryClient()
  const asked: { answer: () => void; signal: AbortSignal }[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['getHome'],
    queryFn: ({ signal }) =>
      new Promise<number>((resolve) => {
        const n = asked.length + 1
        asked.push({ answer: () => resolve(n), signal })
      }),
  })
  const stop = observer.subscribe(() => undefined)
  const change = () => void askAgain(client, ({ queryKey }) => queryKey[0] === 'getHome')
  const shown = () => observer.getCurrentResult().data
  for (let n = 0; n < 10; n += 1) change()
  asked[0]?.answer()
  await expect.poll(shown).toBe(1)
  for (let n = 0; n < 10; n += 1) change()
  expect(asked).toHaveLength(2)
  asked[1]?.answer()
  await expect.poll(shown).toBe(2)
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.answer()
  await expect.poll(shown).toBe(3)
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false, false])
  expect(asked).toHaveLength(3)
  stop()
  client.clear()
})

test('a first request in progress during a change is repeated after its response', async () => {
  const client = createQueryClient()
  const answers: (() => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['listAgents'],
    queryFn: () => new Promise<number>((resolve) => answers.push(() => resolve(answers.length))),
  })
  const stop = observer.subscribe(() => undefined)
  expect(answers).toHaveLength(1)
  void askAgain(client, ({ queryKey }) => queryKey[0] === 'listAgents')
  expect(answers).toHaveLength(1)
  answers[0]?.()
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.()
  await expect.poll(() => observer.getCurrentResult().data).toBe(2)
  // Without a change nothing is fetched.
  void askAgain(client, ({ queryKey }) => queryKey[0] === 'listTeams')
  expect(answers).toHaveLength(2)
  stop()
  client.clear()
})

test('a change of this tab is complete when later responses have arrived, and aborts no pending query', async () => {
  const client = createQueryClient()
  const asked: { answer: () => void; signal: AbortSignal }[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['listAgents'],
    queryFn: ({ signal }) =>
      new Promise<number>((resolve) => {
        const n = asked.length + 1
        asked.push({ answer: () => resolve(n), signal })
      }),
  })
  const stop = observer.subscribe(() => undefined)
  const isOfAgents = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === 'listAgents'
  // A change by the user, and the event about it.
  const changes = [askAgain(client, isOfAgents), askAgain(client, isOfAgents)]
  asked[0]?.answer()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.answer()
  await Promise.all(changes)
  expect(observer.getCurrentResult().data).toBe(2)
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false])
  stop()
  client.clear()
})
