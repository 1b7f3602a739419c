import { changePasswordInBuilder, renamePersonInBuilder } from './account/change-account.ts'
import { endSignInOfPerson, listSignInsOfPerson } from './account/sign-ins.ts'
import {
  cancelAgentPlaygroundForBuilder,
  playAgentForBuilder,
  resumeAgentPlaygroundForBuilder,
} from './agents/agent-playground.ts'
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
import {
  createApiKeyForBuilder,
  listApiKeysForBuilder,
  revokeApiKeyForBuilder,
  rotateApiKeyForBuilder,
  updateApiKeyForBuilder,
} from './api-keys/operations.ts'
import { getAuditedChangeForBuilder, listAuditForBuilder } from './audit/list-audit.ts'
import { deleteBudgetForBuilder, listBudgetsForBuilder, setBudgetForBuilder } from './budgets/operations.ts'
import { BUNDLE_OPERATIONS } from './bundles/operations.ts'
import { CREDENTIAL_OPERATIONS } from './credentials/operations.ts'
import { tryGuardrailsForBuilder } from './guardrails/try-guardrails.ts'
import {
  createLlmConfigurationForBuilder,
  deleteLlmConfigurationForBuilder,
  getLlmConfigurationForBuilder,
  listLlmConfigurationsForBuilder,
  listProviderModelsForBuilder,
  listProvidersForBuilder,
  testLlmConfigurationForBuilder,
  updateLlmConfigurationForBuilder,
} from './llm-configurations/operations.ts'
import { MCP_SERVER_OPERATIONS } from './mcp-servers/operations.ts'
import {
  changeMemberForBuilder,
  inviteMemberForBuilder,
  listMembersForBuilder,
  removeMemberForBuilder,
  withdrawInvitationForBuilder,
} from './members/operations.ts'
import { OBSERVATION_OPERATIONS } from './observation-operations.ts'
import { createOrganizationAsOperator } from './organization/create-organization.ts'
import { getOrganizationForBuilder } from './organization/get-organization.ts'
import { updateOrganizationForBuilder } from './organization/update-organization.ts'
import { PHONE_OPERATIONS } from './phone/operations.ts'
import { moveThingsForBuilder } from './projects/move-things.ts'
import {
  createProjectForBuilder,
  deleteProjectForBuilder,
  listProjectsForBuilder,
  updateProjectForBuilder,
} from './projects/operations.ts'
import { showAgentPromptForBuilder } from './prompts/agent-prompt.ts'
import { showNewTeamPromptsForBuilder, showTeamPromptsForBuilder } from './prompts/team-prompts.ts'
import { RESOURCES_FOR_BUILDER } from './resources/resources.ts'
import { getBuilderSession } from './sign-in/get-session.ts'
import { signInToBuilder } from './sign-in/sign-in.ts'
import { signOutOfBuilder } from './sign-in/sign-out.ts'
import { createTeamForBuilder } from './teams/create-team.ts'
import { deleteTeamForBuilder } from './teams/delete-team.ts'
import { duplicateTeamForBuilder } from './teams/duplicate-team.ts'
import { getTeamForBuilder } from './teams/get-team.ts'
import { listTeamsForBuilder } from './teams/list-teams.ts'
import {
  cancelTeamPlaygroundForBuilder,
  playTeamForBuilder,
  resumeTeamPlaygroundForBuilder,
} from './teams/team-playground.ts'
import {
  describeTeamVersionForBuilder,
  getTeamVersionForBuilder,
  listTeamVersionsForBuilder,
  restoreTeamVersionForBuilder,
} from './teams/team-versions.ts'
import { updateTeamForBuilder } from './teams/update-team.ts'
import { UNSAVED_CHANGES_OPERATIONS } from './unsaved-changes/operations.ts'
import { UPLOAD_OPERATIONS } from './uploads/operations.ts'
import { VOICE_CONFIGURATION_OPERATIONS } from './voice-configurations/operations.ts'
import { WORKFLOW_OPERATIONS } from './workflows/operations.ts'

/** Operations on one organization, for its members and the operator, by their ids. */
export const BUILDER_OPERATIONS = {
  getOrganization: getOrganizationForBuilder,
  listAgents: listAgentsForBuilder,
  createAgent: createAgentForBuilder,
  getAgent: getAgentForBuilder,
  updateAgent: updateAgentForBuilder,
  setAgentStatus: setAgentStatusForBuilder,
  duplicateAgent: duplicateAgentForBuilder,
  playAgent: playAgentForBuilder,
  resumeAgentPlayground: resumeAgentPlaygroundForBuilder,
  cancelAgentPlayground: cancelAgentPlaygroundForBuilder,
  showAgentPrompt: showAgentPromptForBuilder,
  tryGuardrails: tryGuardrailsForBuilder,
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
  playTeam: playTeamForBuilder,
  resumeTeamPlayground: resumeTeamPlaygroundForBuilder,
  cancelTeamPlayground: cancelTeamPlaygroundForBuilder,
  showTeamPrompts: showTeamPromptsForBuilder,
  showNewTeamPrompts: showNewTeamPromptsForBuilder,
  listTeamVersions: listTeamVersionsForBuilder,
  getTeamVersion: getTeamVersionForBuilder,
  describeTeamVersion: describeTeamVersionForBuilder,
  restoreTeamVersion: restoreTeamVersionForBuilder,
  updateOrganization: updateOrganizationForBuilder,
  listProjects: listProjectsForBuilder,
  createProject: createProjectForBuilder,
  updateProject: updateProjectForBuilder,
  deleteProject: deleteProjectForBuilder,
  moveThings: moveThingsForBuilder,
  listMembers: listMembersForBuilder,
  changeMember: changeMemberForBuilder,
  removeMember: removeMemberForBuilder,
  inviteMember: inviteMemberForBuilder,
  withdrawInvitation: withdrawInvitationForBuilder,
  listApiKeys: listApiKeysForBuilder,
  createApiKey: createApiKeyForBuilder,
  updateApiKey: updateApiKeyForBuilder,
  revokeApiKey: revokeApiKeyForBuilder,
  rotateApiKey: rotateApiKeyForBuilder,
  listProviders: listProvidersForBuilder,
  listLlmConfigurations: listLlmConfigurationsForBuilder,
  getLlmConfiguration: getLlmConfigurationForBuilder,
  createLlmConfiguration: createLlmConfigurationForBuilder,
  updateLlmConfiguration: updateLlmConfigurationForBuilder,
  deleteLlmConfiguration: deleteLlmConfigurationForBuilder,
  testLlmConfiguration: testLlmConfigurationForBuilder,
  listProviderModels: listProviderModelsForBuilder,
  listBudgets: listBudgetsForBuilder,
  setBudget: setBudgetForBuilder,
  deleteBudget: deleteBudgetForBuilder,
  listAudit: listAuditForBuilder,
  getAuditedChange: getAuditedChangeForBuilder,
  ...OBSERVATION_OPERATIONS,
  ...WORKFLOW_OPERATIONS,
  ...RESOURCES_FOR_BUILDER,
  ...CREDENTIAL_OPERATIONS,
  ...MCP_SERVER_OPERATIONS,
  ...PHONE_OPERATIONS,
  ...VOICE_CONFIGURATION_OPERATIONS,
  ...BUNDLE_OPERATIONS,
  ...UPLOAD_OPERATIONS,
  ...UNSAVED_CHANGES_OPERATIONS,
} as const

/** Operations of people on their own account and session, by their ids. */
export const PERSON_OPERATIONS = {
  getSession: getBuilderSession,
  signIn: signInToBuilder,
  signOut: signOutOfBuilder,
  listSignIns: listSignInsOfPerson,
  endSignIn: endSignInOfPerson,
  renamePerson: renamePersonInBuilder,
  changePassword: changePasswordInBuilder,
} as const

/** Operations of the operator on the deployment, by their ids. */
export const DEPLOYMENT_OPERATIONS = {
  createOrganization: createOrganizationAsOperator,
} as const

/** An operation on one organization. */
export type BuilderOperationId = keyof typeof BUILDER_OPERATIONS
