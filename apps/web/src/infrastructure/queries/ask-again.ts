import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Asks the questions again whose answers may be of before a change. TanStack Query would join a first question that is
 * under way, which the server may have answered already, so that one is asked again after its answer.
 */
export function askAgain(cache: QueryClient, predicate: (query: Query) => boolean): void {
  const isFirst = (query: Query) => query.state.fetchStatus === 'fetching' && query.state.data === undefined
  for (const query of cache.getQueryCache().findAll({ predicate })) {
    if (!isFirst(query)) continue
    const again = () => void cache.invalidateQueries({ queryKey: query.queryKey, exact: true })
    void query.promise?.then(again, () => undefined)
  }
  void cache.invalidateQueries({ predicate: (query) => predicate(query) && !isFirst(query) })
}
