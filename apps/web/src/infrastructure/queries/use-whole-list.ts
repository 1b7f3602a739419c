import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LlmConfiguration, Project } from '@troupe/contract/builder'
import { callOperation } from '../client/call-operation.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'
import { type Asked, askedOf, queryKey } from './use-operation.ts'

interface Settings {
  /** False: no request yet. */
  isEnabled?: boolean
}

const PAGE_ROWS = 100
/** An organization with more of them is served the first thousand. */
const MOST_PAGES = 10

/** Every configuration of models, by name: pages look for the default, and show the name of each id. */
export function useLlmConfigurations(settings?: Settings): Asked<readonly LlmConfiguration[]> {
  return useWholeList('listLlmConfigurations', settings)
}

/** Every project, by name. */
export function useProjects(settings?: Settings): Asked<readonly Project[]> {
  return useWholeList('listProjects', settings)
}

interface Whole {
  listLlmConfigurations: LlmConfiguration
  listProjects: Project
}

/** A list of configuration from its first to its last page. */
function useWholeList<Name extends keyof Whole>(
  name: Name,
  { isEnabled = true }: Settings = {},
): Asked<readonly Whole[Name][]> {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  const query = useQuery({
    queryKey: [...queryKey(name, organizationId, {}), 'whole'],
    queryFn: async ({ signal }) => {
      const all: Whole[Name][] = []
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const input = { query: { page, limit: PAGE_ROWS, sort: 'name' as const } }
        const answer: { data: readonly unknown[]; total: number } = await callOperation<keyof Whole>(
          name,
          organizationId,
          input,
          { signal },
        )
        // The table above lists the fields of each list.
        all.push(...(answer.data as readonly Whole[Name][]))
        if (answer.data.length === 0 || all.length >= answer.total) break
      }
      return all
    },
    enabled: isEnabled,
  })
  const asked = askedOf(query, cache)
  return isEnabled ? asked : { ...asked, isLoading: false }
}
