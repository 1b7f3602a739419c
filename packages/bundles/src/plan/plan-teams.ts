import {
  type BundleTeam,
  mergeTeamConfig,
  type OrganizationId,
  TEAM_CONFIG_SCHEMA_VERSION,
  type TeamConfig,
  TeamId,
} from '@troupe/contract'
import { teamConfigFaults } from '@troupe/operations/agents/config-faults'
import { guardrailCredentials } from '@troupe/operations/credentials/credential-references'
import type { TeamRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { AgentLookup, LlmLookup } from '../resolve/lookups.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import { type CredentialLookup, reportUnsendable } from '../resolve/resolve-credentials.ts'
import { resolveTeam } from '../resolve/resolve-team.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A team to be written. */
export type WrittenTeam = Omit<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>

/** A step with its path in the bundle. */
export interface TeamStep extends Step<WrittenTeam> {
  path: string
}

export async function planTeams(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleTeam>[],
  stored: readonly TeamRecord[],
  lookups: {
    projectOf: ProjectLookup
    llm: LlmLookup
    agent: AgentLookup
    credential: CredentialLookup
  },
): Promise<TeamStep[]> {
  const placed = await place(planner, TeamId, items, stored, BY_SLUG)
  return placed.flatMap(({ item, stored: before, id }) => {
    const { value, path } = item
    const projectId = lookups.projectOf(item)
    const report = (place: string, message: string) => planner.problems.add(`${path}.${place}`, message)
    const { config, complete } = resolveTeam(value, {
      agent: lookups.agent,
      llm: lookups.llm,
      credential: lookups.credential,
      projectId: projectId ?? null,
      newId: planner.newId,
      report,
    })
    // Merged onto the defaults, not onto the stored row: a bundle describes the complete team.
    const merged = mergeTeamConfig(config)
    const faults = merged.ok ? teamConfigFaults(merged.config) : merged.errors
    // The bundle format has the configuration fields at the same level as the name.
    for (const error of faults) planner.problems.add(error.path.replace(/^config/, path), error.message)
    if (merged.ok) {
      reportUnsendable(
        guardrailCredentials(merged.config.guardrails, 'guardrails'),
        lookups.credential,
        report,
      )
    }
    if (!merged.ok || faults.length > 0 || !complete || projectId === undefined) return []
    const after: WrittenTeam = {
      id,
      organizationId,
      projectId,
      slug: value.slug,
      name: value.name,
      description: value.description ?? null,
      config: merged.config,
      configSchemaVersion: TEAM_CONFIG_SCHEMA_VERSION,
    }
    return [{ path, before, after, changed: before === null || teamDiffers(before, after) }]
  })
}

/**
 * Whether a bundle changes a team. A team created in the builder has no slug; assigning one does not count as
 * a change, so applying an export changes nothing.
 */
function teamDiffers(before: TeamRecord, after: WrittenTeam): boolean {
  return (
    (before.slug !== null && before.slug !== after.slug) ||
    before.name !== after.name ||
    before.description !== after.description ||
    before.projectId !== after.projectId ||
    // Compared as JSON text, because the key order of a schema affects model output.
    JSON.stringify(wholeTeamConfig(before.config)) !== JSON.stringify(after.config)
  )
}

/**
 * A stored configuration completed with defaults added later, its known keys in the order of the defaults.
 */
export function wholeTeamConfig(config: TeamConfig): TeamConfig {
  const merged = mergeTeamConfig({}, config)
  return merged.ok ? merged.config : config
}
