import { useQueries, useQueryClient } from '@tanstack/react-query'
import { callOperation } from '../client/call-operation.ts'
import type { AnswerOf, InputOf, OperationName } from '../client/operation-types.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'
import { type Asked, askedOf, queryKey } from './use-operation.ts'

/** Fetches one operation for several inputs concurrently; the responses are in the order of the inputs. */
export function useOperations<Name extends OperationName>(
  name: Name,
  inputs: readonly InputOf<Name>[],
): readonly Asked<AnswerOf<Name>>[] {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: queryKey(name, organizationId, input),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callOperation(name, organizationId, input, { signal }),
    })),
  }).map((query) => askedOf(query, cache))
}
