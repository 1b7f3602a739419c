import { type Query, QueryClient } from '@tanstack/react-query'
import { asCallFailure } from '../client/call-failure.ts'
import { noteQuestions } from './asked-at.ts'

const STALE_MS = 30_000
/** A server that requires a longer wait than this is an error to show, not a page to keep loading. */
const MOST_PATIENCE_S = 5

/** The cache of server responses. Lists keep the previous page while the next one loads. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (count, error) => count < 2 && isSoonRepeated(error),
        retryDelay: (count, error) => (asCallFailure(error).retryAfterSeconds ?? 0.4 * 2 ** count) * 1_000,
      },
    },
  })
  noteQuestions(client)
  return client
}

function isSoonRepeated(error: unknown): boolean {
  const { isPassing, retryAfterSeconds } = asCallFailure(error)
  return isPassing && (retryAfterSeconds ?? 0) <= MOST_PATIENCE_S
}

/**
 * The previous response while the next one loads, if only the query differs (a filter, a page). The response for
 * another resource or organization is never shown instead: a form would save one agent's values as another's.
 *
 * @param wanted key of the next response, as `queryKey` makes it
 */
export function formerAnswer<T>(
  wanted: readonly unknown[],
  former: T | undefined,
  formerQuery: Pick<Query<unknown, Error, unknown>, 'queryKey'> | undefined,
): T | undefined {
  const thing = (key: readonly unknown[] | undefined) => JSON.stringify(key?.slice(0, 3))
  return thing(wanted) === thing(formerQuery?.queryKey) ? former : undefined
}
