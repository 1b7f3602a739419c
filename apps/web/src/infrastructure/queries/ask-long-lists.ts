import type { QueryClient } from '@tanstack/react-query'

/**
 * Asks lists on the page again that have too many pages to be asked by themselves: what somebody has just deleted must not stay.
 * Steady lists stay as they are. A page that is being loaded may be of before the change, so the list is asked after it.
 *
 * @param key of the answers that an own change concerns
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
