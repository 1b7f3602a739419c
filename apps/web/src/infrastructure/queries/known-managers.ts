import { useQueryClient } from '@tanstack/react-query'
import { type IdText, type OrganizationId, roleHas } from '@troupe/contract'
import type { AnswerOf } from '../client/operation-types.ts'
import { queryKey } from './use-operation.ts'

/** The managers of an organization, from cached responses; fetches nothing. */
export function useKnownManagers(): (organizationId: IdText<OrganizationId>) => string[] {
  const cache = useQueryClient()
  return (organizationId) => {
    const known = cache.getQueryData<AnswerOf<'listMembers'>>(queryKey('listMembers', organizationId, {}))
    const managers = known?.members.filter(
      ({ role, status }) => status === 'active' && roleHas(role, 'manage'),
    )
    return managers?.map(({ name }) => name) ?? []
  }
}
