import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { askLongListsAgain } from './ask-long-lists.ts'

test.for([
  [false, 4],
  [true, 2],
] as const)('the pages of a list without automatic refetches are refetched after an own change, unless it is steady (%s)', async ([
  isSteady,
  asked,
]) => {
  const cache = new QueryClient()
  const ask = vi.fn(async ({ pageParam }: { pageParam: unknown }) => Number(pageParam))
  const list = new InfiniteQueryObserver(cache, {
    queryKey: ['listUploads', 'pages'],
    queryFn: ask,
    initialPageParam: 0,
    getNextPageParam: (page: number) => page + 1,
    meta: { isSteady },
    enabled: false,
  })
  const stop = list.subscribe(() => undefined)
  await list.fetchNextPage()
  await list.fetchNextPage()
  await cache.invalidateQueries({ queryKey: ['listUploads'] })
  expect(ask).toHaveBeenCalledTimes(2)
  askLongListsAgain(cache, ['listUploads'])
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0))
  expect(ask).toHaveBeenCalledTimes(asked)
  stop()
})

test('a list with a loading page is refetched after it', async () => {
  const cache = new QueryClient()
  const answers: (() => void)[] = []
  const list = new InfiniteQueryObserver(cache, {
    queryKey: ['listUploads', 'pages'],
    queryFn: ({ pageParam }: { pageParam: unknown }) =>
      new Promise<number>((resolve) => answers.push(() => resolve(Number(pageParam)))),
    initialPageParam: 0,
    getNextPageParam: (page: number) => page + 1,
    meta: { isSteady: false },
    enabled: false,
  })
  const stop = list.subscribe(() => undefined)
  const loading = list.fetchNextPage()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  askLongListsAgain(cache, ['listUploads'])
  expect(answers).toHaveLength(1)
  answers[0]?.()
  await loading
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.()
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0))
  stop()
})
