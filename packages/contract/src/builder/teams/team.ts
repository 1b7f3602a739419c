import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, TeamId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import type { TeamConfig } from '../../teams/config/team-config.ts'
import { Team } from '../../teams/team.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { activity } from '../versions/activity.ts'
import { UsedBy } from '../versions/used-by.ts'
import { ChangeAuthor } from '../versions/version.ts'

/** Path prefix of the operations on one team. */
export const TEAM_PATH = `${ORGANIZATION_PATH}/teams/{teamId}` as const
export const teamParams = { ...organizationParams, teamId: Uuid<TeamId>() }

const { config, configSchemaVersion, ...identity } = Team.properties
const MODES = [
  'handoff',
  'dynamic-delegation',
  'parallel',
  'plan-execute',
] as const satisfies TeamConfig['mode'][]

/** A team in a list of the builder, without its configuration. */
export const TeamSummary = Type.Object({
  ...identity,
  slug: Nullable(Type.String()),
  versionNumber: Type.Integer(),
  mode: Choice(MODES),
  agents: Type.Array(
    Type.Object({ agentId: Uuid<AgentId>(), name: Type.String(), role: Choice(['lead', 'member']) }),
    { description: 'A promoted lead first; a managed lead is not an agent.' },
  ),
  changedBy: ChangeAuthor,
  usedBy: UsedBy,
  ...activity,
})
export type TeamSummary = Static<typeof TeamSummary>

/** A team in its editor. */
export const TeamDetails = Type.Object({ ...TeamSummary.properties, config, configSchemaVersion })
export type TeamDetails = Static<typeof TeamDetails>
