import { useQueryClient } from '@tanstack/react-query'
import { isJsonObject, type JsonObject } from '@troupe/contract'
import type { OperationName } from '../client/operation-types.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'

/** Finds the query with which the page shows an operation now: its filter, order and page. Empty when it does not show it. */
export function useShownQuery(): (
  operation: OperationName,
  params: Readonly<Record<string, string>>,
) => JsonObject {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return (operation, params) => {
    const [shown] = cache
      .getQueryCache()
      .findAll({ queryKey: [operation, organizationId, params], type: 'active' })
    const query = shown?.queryKey[3]
    return isJsonObject(query) ? query : {}
  }
}
