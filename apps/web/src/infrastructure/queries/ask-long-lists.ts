import type { QueryClient } from '@tanstack/react-query'

/**
 * Refetches visible lists with too many pages for automatic refetches: a just deleted row must not stay. Steady lists are
 * unchanged. A loading page may predate the change, so the list is refetched after it.
 *
 * @param key of the responses affected by an own change
 */
export function askLongListsAgain(cache: QueryClient, key: readonly unknown[]): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: key })) {
    const isShown = query.getObserversCount() > 0
    if (!isShown || query.meta?.isSteady !== false || !query.isDisabled()) continue
    const ask = () => void query.fetch().catch(() => undefined)
    const { promise } = query
    if (query.state.fetchStatus === 'fetching' && promise) promise.then(ask, ask)
    else ask()
  }
}
