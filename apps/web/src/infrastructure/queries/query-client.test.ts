import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { CallFailure } from '../client/call-failure.ts'
import { createQueryClient, formerAnswer } from './query-client.ts'

const keyOf = (organizationId: string, agentId: string, page = 1) => [
  'getAgent',
  organizationId,
  { agentId },
  { page },
]

test.for([
  ['the next page of the same list', keyOf('o1', 'a1', 2), 'former'],
  ['another agent', keyOf('o1', 'a2'), undefined],
  ['the same agent id in another organization', keyOf('o2', 'a1'), undefined],
] as const)('while %s loads, the previous answer is kept only if it is about the same thing', ([
  _,
  next,
  shown,
]) => {
  const client = createQueryClient()
  client.setQueryData(keyOf('o1', 'a1'), 'former')
  const options = (queryKey: readonly unknown[]) => ({
    queryKey,
    queryFn: () => new Promise<string>(() => undefined),
    placeholderData: (former: string | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
      formerAnswer(queryKey, former, query),
  })
  const observer = new QueryObserver<string>(client, options(keyOf('o1', 'a1')))
  const stop = observer.subscribe(() => undefined)
  observer.setOptions(options(next))
  expect(observer.getCurrentResult().data).toBe(shown)
  stop()
  client.clear()
})

test.for([
  [429, 60, 1],
  [400, null, 1],
  [503, 0, 3],
] as const)('a %i with Retry-After %s is requested %i times before it is shown', async ([
  status,
  retryAfterSeconds,
  times,
]) => {
  const client = createQueryClient()
  let asked = 0
  const queryFn = () => {
    asked += 1
    return Promise.reject(new CallFailure('internal_error', 'No.', { status, retryAfterSeconds }))
  }
  // A query that is fetched without an observer has no retries by default, so the client's are named.
  const { retry, retryDelay } = client.getDefaultOptions().queries ?? {}
  const options = { queryKey: ['x'], queryFn, ...(retry && { retry }), ...(retryDelay && { retryDelay }) }
  await client.fetchQuery(options).catch(() => undefined)
  expect(asked).toBe(times)
  client.clear()
})
