import { useQueryClient } from '@tanstack/react-query'
import { callOperation } from '../client/call-operation.ts'
import type { AnswerOf, InputOf, OperationName } from '../client/operation-types.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'
import { queryKey } from './use-operation.ts'

/** Calls for flows of several questions and changes; a single one has `useOperation` and `useChange`. */
export interface OperationCalls {
  /** Asks now, whatever the cache has, and keeps the answer there. Throws `CallFailure`. */
  ask<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>>
  /** Sends a change, or a question that is a POST; nothing is kept. Throws `CallFailure`. */
  send<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    settings?: { signal?: AbortSignal },
  ): Promise<AnswerOf<Name>>
  /** Keeps an answer that another operation gave, as if it had been asked for. */
  keep<Name extends OperationName>(name: Name, input: InputOf<Name>, answer: AnswerOf<Name>): void
  /** Asks again what these operations answered; resolves when the pages have it. */
  refresh(names: readonly OperationName[]): Promise<void>
}

export function useCalls(): OperationCalls {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  return {
    ask: (name, input) =>
      cache.fetchQuery({
        queryKey: queryKey(name, organizationId, input),
        queryFn: ({ signal }) => callOperation(name, organizationId, input, { signal }),
        staleTime: 0,
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
