import type { AgentRecord } from '@troupe/database'
import type { OrganizationItem } from '../read-bundle.ts'
import type { AgentStep } from './plan-agents.ts'

/** What a team may refer to. */
export type AgentTarget = Pick<AgentRecord, 'id' | 'projectId' | 'status'>

/** Finds agents by slug or id: undefined when there is none, null when it is there but has failures. */
export type AgentLookup = (reference: string) => AgentTarget | null | undefined

/** Looks in the plan first, then in what is stored and not in the bundle. */
export function agentLookup(
  organization: OrganizationItem,
  steps: readonly AgentStep[],
  stored: readonly AgentRecord[],
): AgentLookup {
  const declared = new Set(
    organization.agents.flatMap(({ value }) => (value.id ? [value.slug, value.id] : [value.slug])),
  )
  const planned = new Set(steps.map(({ after }) => after.id))
  const rows = [...stored.filter(({ id }) => !planned.has(id)), ...steps.map(({ after }) => after)]
  const bySlug = new Map<string | null, AgentTarget>(rows.map((row) => [row.slug, row]))
  const byId = new Map<string, AgentTarget>(rows.map((row) => [row.id, row]))
  return (reference) => {
    const found = bySlug.get(reference) ?? byId.get(reference.toLowerCase())
    if (found) return found
    return declared.has(reference) || organization.brokenSlugs.has(reference) ? null : undefined
  }
}
