import type { QueryClient } from '@tanstack/react-query'

/**
 * Asks lists on the page again that have too many pages to be asked by themselves: what somebody has just deleted must not stay.
 * Steady lists stay as they are.
 *
 * @param key of the answers that an own change concerns
 */
export function askLongListsAgain(cache: QueryClient, key: readonly unknown[]): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: key })) {
    const isShown = query.getObserversCount() > 0
    if (isShown && query.meta?.isSteady === false && query.isDisabled())
      void query.fetch().catch(() => undefined)
  }
}
