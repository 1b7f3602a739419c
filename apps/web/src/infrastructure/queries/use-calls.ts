import { useQueryClient } from '@tanstack/react-query'
import { callOperation } from '../client/call-operation.ts'
import type { AnswerOf, InputOf, OperationName } from '../client/operation-types.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'
import { askNow } from './ask-now.ts'
import { queryKey } from './use-operation.ts'

/** Calls for flows of several queries and changes; a single one uses `useOperation` and `useChange`. */
export interface OperationCalls {
  /** Fetches a response that is not older than the call, and caches it. Throws `CallFailure`. */
  ask<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>>
  /** Sends a change, or a query by POST; nothing is cached. Throws `CallFailure`. */
  send<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    settings?: { signal?: AbortSignal },
  ): Promise<AnswerOf<Name>>
  /** Caches a response of another operation, as if it had been fetched. */
  keep<Name extends OperationName>(name: Name, input: InputOf<Name>, answer: AnswerOf<Name>): void
  /** Refetches these operations; resolves when the pages have the responses. */
  refresh(names: readonly OperationName[]): Promise<void>
}

export function useCalls(): OperationCalls {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  return {
    ask: (name, input) =>
      askNow(cache, {
        queryKey: queryKey(name, organizationId, input),
        queryFn: ({ signal }) => callOperation(name, organizationId, input, { signal }),
      }),
    send: (name, input, settings) => callOperation(name, organizationId, input, settings),
    keep: (name, input, answer) => {
      cache.setQueryData(queryKey(name, organizationId, input), answer)
    },
    refresh: async (names) => {
      await Promise.all(names.map((name) => cache.invalidateQueries({ queryKey: queryKey(name) })))
    },
  }
}
