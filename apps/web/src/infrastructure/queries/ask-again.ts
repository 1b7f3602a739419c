import type { Query, QueryClient } from '@tanstack/react-query'

/** Questions under way that are asked once more when they have ended, by their promise. */
const followed = new WeakSet<Promise<unknown>>()

/**
 * Asks the questions again whose answers may be of before a change. One that is under way may have been answered by the server
 * already, so it is asked again after its answer, once however many changes there are. It is not given up for the next one: with
 * changes that come faster than answers, a page would never see an answer.
 */
export function askAgain(cache: QueryClient, predicate: (query: Query) => boolean): void {
  const isUnderWay = (query: Query) => query.state.fetchStatus === 'fetching'
  for (const query of cache.getQueryCache().findAll({ predicate })) {
    if (isUnderWay(query)) askAfter(cache, query)
  }
  void cache.invalidateQueries({ predicate: (query) => predicate(query) && !isUnderWay(query) })
}

function askAfter(cache: QueryClient, query: Query): void {
  const { promise } = query
  if (promise === undefined || followed.has(promise)) return
  followed.add(promise)
  const again = () => void cache.invalidateQueries({ queryKey: query.queryKey, exact: true })
  void promise.then(again, again)
}
