import type { UseQueryResult } from '@tanstack/react-query'
import { shellWords } from '../../core/messages/en/shell.ts'
import { asCallFailure, CallFailure } from '../client/call-failure.ts'

/** A constant object, because it is compared between renders. */
const NOT_LOADED = new CallFailure('offline', shellWords.notLoaded)

/**
 * The reason why there is no newer response; null: no failure, or the request is in progress. Offline a query waits for the
 * network, which is reported if there is no response to show in the meantime.
 */
export function questionFailure({
  error,
  data,
  fetchStatus,
}: Pick<UseQueryResult<unknown>, 'error' | 'data' | 'fetchStatus'>): CallFailure | null {
  if (error) return asCallFailure(error)
  return fetchStatus === 'paused' && data === undefined ? NOT_LOADED : null
}
