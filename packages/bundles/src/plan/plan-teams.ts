import {
  type BundleTeam,
  mergeTeamConfig,
  type OrganizationId,
  TEAM_CONFIG_SCHEMA_VERSION,
  type TeamConfig,
} from '@troupe/contract'
import type { TeamRecord } from '@troupe/database'
import type { Item } from '../read/bundle-items.ts'
import type { AgentLookup, LlmLookup } from '../resolve/lookups.ts'
import { type Planner, place } from '../resolve/planner.ts'
import { resolveTeam } from '../resolve/resolve-team.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A team as it is written. */
export type WrittenTeam = Omit<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>

/** A step with the place that describes it. */
export interface TeamStep extends Step<WrittenTeam> {
  path: string
}

export async function planTeams(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleTeam>[],
  stored: readonly TeamRecord[],
  lookups: { projectOf: ProjectLookup; llm: LlmLookup; agent: AgentLookup },
): Promise<TeamStep[]> {
  const placed = await place(planner, items, stored, {
    field: 'slug',
    ofItem: ({ slug }) => slug,
    ofRow: ({ slug }) => slug,
  })
  return placed.flatMap(({ item, stored: before, id }) => {
    const { value, path } = item
    const projectId = lookups.projectOf(item)
    const { config, complete } = resolveTeam(value, {
      agent: lookups.agent,
      llm: lookups.llm,
      projectId: projectId ?? null,
      newId: planner.newId,
      report: (place, message) => planner.problems.add(`${path}.${place}`, message),
    })
    // Onto the defaults and not onto what is stored: a bundle describes the whole team.
    const merged = mergeTeamConfig(config)
    if (!merged.ok) {
      // The fields of the configuration stand beside the name.
      for (const error of merged.errors) {
        planner.problems.add(error.path.replace(/^config/, path), error.message)
      }
    }
    if (!merged.ok || !complete || projectId === undefined) return []
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
 * Whether a bundle changes a team. A team made in the builder has no slug; getting one is no change by itself, so that
 * applying an export changes nothing.
 */
function teamDiffers(before: TeamRecord, after: WrittenTeam): boolean {
  return (
    (before.slug !== null && before.slug !== after.slug) ||
    before.name !== after.name ||
    before.description !== after.description ||
    before.projectId !== after.projectId ||
    // Texts, because the order of keys in a schema changes what models write.
    JSON.stringify(wholeTeamConfig(before.config)) !== JSON.stringify(after.config)
  )
}

/** A stored configuration with defaults that came later, its known keys in the order of the defaults. */
export function wholeTeamConfig(config: TeamConfig): TeamConfig {
  const merged = mergeTeamConfig({}, config)
  return merged.ok ? merged.config : config
}
