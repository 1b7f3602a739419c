import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'

/**
 * Fetches and caches a response that is not older than this call. A request in progress may have been answered by the server already, so
 * it is awaited, and then sent once more. Rejects as the query function.
 */
export async function askNow<T>(
  cache: QueryClient,
  options: Pick<FetchQueryOptions<T>, 'queryKey' | 'queryFn'>,
): Promise<T> {
  const { queryKey } = options
  const query = cache.getQueryCache().find({ queryKey, exact: true })
  if (query?.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
  return cache.fetchQuery({ ...options, staleTime: 0 })
}
