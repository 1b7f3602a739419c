import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import { asCallFailure } from '../client/call-failure.ts'

const STALE_MS = 30_000

/** The cache of what the server said. Lists keep the former page while the next one loads. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        placeholderData: keepPreviousData,
        retry: (count, error) => count < 2 && asCallFailure(error).isPassing,
        retryDelay: (count, error) => (asCallFailure(error).retryAfterSeconds ?? 0.4 * 2 ** count) * 1_000,
      },
      mutations: { retry: false },
    },
  })
}
