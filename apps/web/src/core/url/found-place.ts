import type { OrganizationPaths } from './paths.ts'
import { withSearch } from './paths.ts'

/** A search result of the organization, with the fields that determine its page. */
export interface FoundThing<Kind extends string> {
  kind: Kind
  id: string
  /** The resource of a version; null for other things. */
  parentId: string | null
  /** The number of a version, such as `v3`; null for other things. */
  detail: string | null
}

/** The page of a version: its change from the previous version. */
export function placeOfVersion(
  { kind, id, parentId, detail }: FoundThing<'agent_version' | 'team_version' | 'workflow_version'>,
  paths: OrganizationPaths,
): string {
  const thing = parentId ?? id
  switch (kind) {
    // The page names the version before it.
    case 'agent_version':
      return withSearch(paths.agent(thing, 'versions'), { compare: id })
    case 'team_version':
      return withSearch(paths.team(thing, 'versions'), { compare: id })
    case 'workflow_version':
      return withSearch(paths.workflow(thing, 'versions'), { compare: comparedNumbers(detail) })
    default:
      return kind satisfies never
  }
}

/** `v5` → `4..5`; the first version is compared to the draft. */
function comparedNumbers(detail: string | null): string | null {
  const number = Number(/^v(\d+)$/.exec(detail ?? '')?.[1] ?? 0)
  if (number < 1) return null
  return number === 1 ? '1..draft' : `${number - 1}..${number}`
}
