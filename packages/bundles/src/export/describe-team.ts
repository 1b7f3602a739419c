import {
  type BundleTeam,
  MANAGED_LEAD_DEFAULTS,
  TEAM_CONFIG_DEFAULTS,
  type TeamConfig,
} from '@troupe/contract'
import type { TeamRecord } from '@troupe/storage'
import { wholeTeamConfig } from '../plan/plan-teams.ts'
import { difference, modelDifference } from './config-difference.ts'
import { projectOf, type Slugs, withCredentialSlugs, withSlugs } from './slugs.ts'

/** The references of a team, by id. */
export interface TeamSlugs {
  projects: Slugs
  llms: Slugs
  credentials: Slugs
  /** Including the slugs that the same export derives for agents without one. */
  agents: Slugs
}

/** A team in the bundle format: the differences from the defaults, with agents by their slugs. */
export function describeTeam(team: TeamRecord & { slug: string }, slugs: TeamSlugs): BundleTeam {
  const { slug, name, id, projectId, description } = team
  const { mode, lead, members, fallback_member: fallback, ...rest } = wholeTeamConfig(team.config)
  const agent = (reference: string) => slugs.agents.get(reference) ?? reference
  return {
    slug,
    name,
    id,
    ...projectOf(projectId, slugs.projects),
    ...(description === null ? {} : { description }),
    mode,
    lead:
      'agent' in lead ? { agent: agent(lead.agent) } : { managed: describeLead(lead.managed, slugs.llms) },
    members: members.map((member) => ({
      agent: agent(member.agent),
      ...(member.role === null ? {} : { role: member.role }),
    })),
    ...(fallback === null ? {} : { fallback_member: agent(fallback) }),
    ...withCredentialSlugs(withSlugs(difference(rest, TEAM_CONFIG_DEFAULTS), slugs.llms), slugs.credentials),
  }
}

type ManagedLead = Extract<TeamConfig['lead'], { managed: unknown }>['managed']

function describeLead(managed: ManagedLead, llms: Slugs): Record<string, unknown> {
  const changed = difference({ ...managed }, MANAGED_LEAD_DEFAULTS)
  return withSlugs(modelDifference(changed, managed.model), llms)
}
