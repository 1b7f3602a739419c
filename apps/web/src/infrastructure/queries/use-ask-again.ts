import { useQueryClient } from '@tanstack/react-query'
import type { OperationName } from '../client/operation-types.ts'
import { askAgain } from './ask-again.ts'

/** Refetches operations whose responses on the page are outdated. */
export function useAskAgain(): (operations: readonly OperationName[]) => void {
  const cache = useQueryClient()
  return (operations) => askAgain(cache, ({ queryKey: [asked] }) => operations.some((name) => name === asked))
}
