import {
  AGENT_CONFIG_DEFAULTS,
  AgentId,
  mergeTeamConfig,
  newId,
  type OrganizationId,
  type ProjectId,
  TeamId,
} from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { agentRecord } from '../records/agent-record.ts'

const SEEDER: Actor = { kind: 'system', id: null, ip: null, requestId: null }

/** A team with its members, in one organization and optionally a project. */
export interface SeededTeam {
  teamId: TeamId
  /** In builder order: `m1` first. */
  agentIds: AgentId[]
}

/** The location and settings of a team. */
export interface TeamSeed {
  organizationId: OrganizationId
  projectId: ProjectId | null
  name?: string
  /** Names of the members; two by default. */
  members?: readonly string[]
  /** Partial `config`: mode (handoff by default), lead, toggles, limits … `members` is filled in. */
  config?: Record<string, unknown>
  /** Partial configuration of every member. */
  memberConfig?: (name: string) => Record<string, unknown>
}

/** Inserts a team with new agents into the database. */
export async function seedTeam(database: Pick<Database, 'transaction'>, seed: TeamSeed): Promise<SeededTeam> {
  const { organizationId, projectId, members = ['Billing', 'Support'] } = seed
  const agentIds = members.map(() => newId(AgentId))
  const teamId = newId(TeamId)
  const merged = mergeTeamConfig({
    mode: 'handoff',
    lead: { managed: { instructions: 'You lead.' } },
    ...seed.config,
    members: agentIds.map((agent) => ({ agent })),
  })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  await database.transaction(async ({ write }) => {
    for (const [index, id] of agentIds.entries()) {
      const name = members[index] ?? ''
      await write.agents.insert(
        agentRecord({
          ...{ id, organizationId, projectId, name },
          description: `Does ${name.toLowerCase()}.`,
          config: { ...structuredClone(AGENT_CONFIG_DEFAULTS), ...seed.memberConfig?.(name) },
        }),
        SEEDER,
      )
    }
    await write.teams.insert(
      {
        id: teamId,
        organizationId,
        projectId,
        slug: null,
        name: seed.name ?? 'Desk',
        description: null,
        config: merged.config,
        configSchemaVersion: 1,
      },
      SEEDER,
    )
  })
  return { teamId, agentIds }
}
