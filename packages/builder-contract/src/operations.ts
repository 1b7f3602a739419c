import {
  describeAgentVersionForBuilder,
  getAgentVersionForBuilder,
  listAgentVersionsForBuilder,
  restoreAgentVersionForBuilder,
} from './agents/agent-versions.ts'
import { createAgentForBuilder } from './agents/create-agent.ts'
import { duplicateAgentForBuilder } from './agents/duplicate-agent.ts'
import { getAgentForBuilder } from './agents/get-agent.ts'
import { listAgentsForBuilder } from './agents/list-agents.ts'
import { setAgentStatusForBuilder } from './agents/set-agent-status.ts'
import { updateAgentForBuilder } from './agents/update-agent.ts'
import { getOrganizationForBuilder } from './organization/get-organization.ts'
import { getBuilderSession } from './session/get-session.ts'
import { signInToBuilder } from './session/sign-in.ts'
import { signOutOfBuilder } from './session/sign-out.ts'
import { createTeamForBuilder } from './teams/create-team.ts'
import { deleteTeamForBuilder } from './teams/delete-team.ts'
import { duplicateTeamForBuilder } from './teams/duplicate-team.ts'
import { getTeamForBuilder } from './teams/get-team.ts'
import { listTeamsForBuilder } from './teams/list-teams.ts'
import {
  describeTeamVersionForBuilder,
  getTeamVersionForBuilder,
  listTeamVersionsForBuilder,
  restoreTeamVersionForBuilder,
} from './teams/team-versions.ts'
import { updateTeamForBuilder } from './teams/update-team.ts'

/** Operations on one organization, for its members and the operator, by their ids. */
export const BUILDER_OPERATIONS = {
  getOrganization: getOrganizationForBuilder,
  listAgents: listAgentsForBuilder,
  createAgent: createAgentForBuilder,
  getAgent: getAgentForBuilder,
  updateAgent: updateAgentForBuilder,
  setAgentStatus: setAgentStatusForBuilder,
  duplicateAgent: duplicateAgentForBuilder,
  listAgentVersions: listAgentVersionsForBuilder,
  getAgentVersion: getAgentVersionForBuilder,
  describeAgentVersion: describeAgentVersionForBuilder,
  restoreAgentVersion: restoreAgentVersionForBuilder,
  listTeams: listTeamsForBuilder,
  createTeam: createTeamForBuilder,
  getTeam: getTeamForBuilder,
  updateTeam: updateTeamForBuilder,
  deleteTeam: deleteTeamForBuilder,
  duplicateTeam: duplicateTeamForBuilder,
  listTeamVersions: listTeamVersionsForBuilder,
  getTeamVersion: getTeamVersionForBuilder,
  describeTeamVersion: describeTeamVersionForBuilder,
  restoreTeamVersion: restoreTeamVersionForBuilder,
} as const

/** Operations of people on their own account and session, by their ids. */
export const PERSON_OPERATIONS = {
  getSession: getBuilderSession,
  signIn: signInToBuilder,
  signOut: signOutOfBuilder,
} as const

/** An operation on one organization. */
export type BuilderOperationId = keyof typeof BUILDER_OPERATIONS
