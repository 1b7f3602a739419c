import type { UseQueryResult } from '@tanstack/react-query'
import { shellWords } from '../../core/messages/en/shell.ts'
import { asCallFailure, CallFailure } from '../client/call-failure.ts'

/** Always the same one: it is compared between drawings. */
const NOT_LOADED = new CallFailure('offline', shellWords.notLoaded)

/**
 * Why there is no newer answer; null: nothing failed, or the question is under way. Without a network a question waits for
 * one, which is said where there is no answer to show meanwhile.
 */
export function questionFailure({
  error,
  data,
  fetchStatus,
}: Pick<UseQueryResult<unknown>, 'error' | 'data' | 'fetchStatus'>): CallFailure | null {
  if (error) return asCallFailure(error)
  return fetchStatus === 'paused' && data === undefined ? NOT_LOADED : null
}
