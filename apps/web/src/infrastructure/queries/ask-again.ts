import type { Query, QueryClient } from '@tanstack/react-query'

/** Requests in progress that are repeated once after their end, by their promise, with the end of the repetition. */
const followed = new WeakMap<Promise<unknown>, Promise<void>>()

/**
 * Refetches the queries whose responses may predate a change. A request in progress may have been answered by the
 * server already, so it is repeated after its response, once for any number of changes. It is not aborted: with changes
 * faster than responses, a page would never see one.
 *
 * @returns resolves once the new responses have arrived; never rejects
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
