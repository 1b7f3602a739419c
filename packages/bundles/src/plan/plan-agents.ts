import {
  type AgentConfig,
  AgentId,
  type BundleAgent,
  mergeAgentConfig,
  type OrganizationId,
} from '@troupe/contract'
import { CONFIG_SCHEMA_VERSION } from '@troupe/operations/agents/config-schema-version'
import { mergeUsableConfig } from '@troupe/operations/agents/merge-usable-config'
import { agentCredentials } from '@troupe/operations/credentials/credential-references'
import { agentSettingsOf, differingSettings } from '@troupe/operations/runnables/agent-settings'
import { skillFaults } from '@troupe/operations/skills/require-skills'
import type { NamedSkillRecord } from '@troupe/operations/skills/resolve-skills'
import type { AgentRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { LlmLookup } from '../resolve/lookups.ts'
import { nameLookup } from '../resolve/name-lookup.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import {
  type CredentialLookup,
  reportUnsendable,
  resolveCredentials,
} from '../resolve/resolve-credentials.ts'
import { type KnowledgeLookup, resolveKnowledge } from '../resolve/resolve-knowledge.ts'
import { resolveLlmReferences } from '../resolve/resolve-llm-references.ts'
import { resolveSkillsOfAgent } from '../resolve/resolve-skills-of-agent.ts'
import type { Step } from '../resolve/step.ts'
import { resolveToolReferences, type ToolLookups, type ToolTarget } from '../resolve/tool-references.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** An agent to be written. */
export type WrittenAgent = Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>

/** A step with its path in the bundle. */
export interface AgentStep extends Step<WrittenAgent> {
  path: string
  /** The agent as parsed. */
  described: BundleAgent
}

export async function planAgents(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleAgent>[],
  stored: readonly AgentRecord[],
  lookups: {
    projectOf: ProjectLookup
    llm: LlmLookup
    credential: CredentialLookup
    knowledgeBase: KnowledgeLookup
    workflow: ToolLookups['workflow']
    server: ToolLookups['server']
    /** The skills after the bundle is applied. */
    skills: readonly NamedSkillRecord[]
    brokenSlugs: ReadonlySet<unknown>
  },
): Promise<AgentStep[]> {
  const placed = await place(planner, AgentId, items, stored, BY_SLUG)
  // Agents may be tools of agents that precede them.
  const steps = placed.map(({ item, id }) => {
    const { slug, status = 'draft' } = item.value
    return {
      before: null,
      after: { id, slug, status, projectId: lookups.projectOf(item) ?? null },
      changed: true,
    }
  })
  const agent = nameLookup<ToolTarget>(items, lookups.brokenSlugs, steps, stored)
  return placed.flatMap(({ item, stored: before, id }) => {
    const { value, path } = item
    const projectId = lookups.projectOf(item)
    const report = (place: string, message: string) => planner.problems.add(`${path}.${place}`, message)
    const withLlms = resolveLlmReferences(value.config ?? {}, {
      lookup: lookups.llm,
      projectId: projectId ?? null,
      owner: 'agent',
      report,
    })
    const withCredentials = resolveCredentials(withLlms, {
      lookup: lookups.credential,
      projectId: projectId ?? null,
      owner: 'agent',
      report,
    })
    const withKnowledge = resolveKnowledge(withCredentials, {
      lookup: lookups.knowledgeBase,
      projectId: projectId ?? null,
      report,
      newId: planner.newId,
    })
    const withSkills = resolveSkillsOfAgent(withKnowledge, {
      skills: lookups.skills,
      projectId: projectId ?? null,
      levelOf: ({ path: place, value: level }) =>
        lookups.projectOf({ path: `${path}.${place}`, value: level }),
      report,
      brokenSlugs: lookups.brokenSlugs,
    })
    const config = resolveToolReferences(withSkills, {
      lookups: { agent, workflow: lookups.workflow, server: lookups.server },
      projectId: projectId ?? null,
      report,
      newId: planner.newId,
    })
    // Merged onto the defaults, not onto the stored row: a bundle describes the complete agent.
    const merged = mergeUsableConfig(config)
    if (!merged.ok) for (const error of merged.errors) report(error.path, error.message)
    else reportUnsendable(agentCredentials(merged.config), lookups.credential, report)
    if (!merged.ok || projectId === undefined) return []
    const { skills } = merged.config
    for (const fault of skillFaults(lookups.skills, projectId, skills, lookups.brokenSlugs)) {
      report(fault.path, fault.message)
    }
    const after: WrittenAgent = {
      id,
      organizationId,
      projectId,
      slug: value.slug,
      name: value.name,
      ...agentSettingsOf(value),
      status: value.status ?? 'draft',
      config: merged.config,
      configSchemaVersion: CONFIG_SCHEMA_VERSION,
    }
    return [
      { path, described: value, before, after, changed: before === null || agentDiffers(before, after) },
    ]
  })
}

/**
 * Whether a bundle changes an agent. An agent created through the API has no slug; assigning one does not
 * count as a change, so applying an export changes nothing.
 */
export function agentDiffers(before: AgentRecord, after: WrittenAgent): boolean {
  return (
    (before.slug !== null && before.slug !== after.slug) ||
    before.name !== after.name ||
    Object.keys(differingSettings(before, after)).length > 0 ||
    before.status !== after.status ||
    before.projectId !== after.projectId ||
    // Compared as JSON text, because the key order of a schema affects model output.
    JSON.stringify(wholeConfig(before.config)) !== JSON.stringify(after.config)
  )
}

/**
 * A stored configuration completed with defaults added later, its known keys in the order of the defaults.
 */
export function wholeConfig(config: AgentConfig): AgentConfig {
  const merged = mergeAgentConfig({}, config)
  return merged.ok ? merged.config : config
}
