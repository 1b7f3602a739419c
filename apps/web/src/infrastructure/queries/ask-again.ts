import type { Query, QueryClient } from '@tanstack/react-query'

/** Questions under way that are asked once more when they have ended, by their promise, with the end of that. */
const followed = new WeakMap<Promise<unknown>, Promise<void>>()

/**
 * Asks the questions again whose answers may be of before a change. One that is under way may have been answered by the server
 * already, so it is asked again after its answer, once however many changes there are. It is not given up for the next one: with
 * changes that come faster than answers, a page would never see an answer.
 *
 * @returns when the new answers are there; it never rejects
 */
export async function askAgain(cache: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  const isUnderWay = (query: Query) => query.state.fetchStatus === 'fetching'
  const followers = cache
    .getQueryCache()
    .findAll({ predicate })
    .flatMap((query) => (isUnderWay(query) ? askAfter(cache, query) : []))
  const asked = cache.invalidateQueries({ predicate: (query) => predicate(query) && !isUnderWay(query) })
  await Promise.all([...followers, asked])
}

function askAfter(cache: QueryClient, query: Query): Promise<void> {
  const { promise } = query
  if (promise === undefined) return Promise.resolve()
  const again = () => cache.invalidateQueries({ queryKey: query.queryKey, exact: true })
  const follower = followed.get(promise) ?? promise.then(again, again)
  followed.set(promise, follower)
  return follower
}
