import { createHash, randomUUID } from 'node:crypto'
import type { ErrorCode, OperationId } from '@troupe/contract'
import type { BuilderOperationId } from '@troupe/contract/builder'
import { seedPerson } from '../server/seed-person.ts'
import { seedTeam } from '../server/seed-team.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { AccessRequest } from './access-row.ts'
import { ACCESS_TABLE } from './access-table.ts'
import type { BuilderRow } from './builder-row.ts'
import { BUILDER_WORKFLOW_ROWS } from './builder-workflow-rows.ts'
import { CONNECTION_ROWS } from './connection-rows.ts'
import { OBSERVATION_ROWS } from './observation-rows.ts'
import { PHONE_ROWS } from './phone-rows.ts'
import { VOICE_CONFIGURATION_ROWS } from './voice-configuration-rows.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** An operation on the organization, or on a list of it. */
const at = (path: string, body?: object): BuilderRow => ({ own: () => ({ path, ...(body ? { body } : {}) }) })

/** An operation on one resource with an unknown id; `foreign` uses one of another organization. */
const one = (
  error: ErrorCode,
  path: (id: string) => string,
  foreign: (server: TestServer) => string | Promise<string>,
  body?: object,
): BuilderRow => ({
  own: () => ({ path: path(UNKNOWN_ID), ...(body ? { body } : {}) }),
  foreign: {
    error,
    request: async (server) => ({ path: path(await foreign(server)), ...(body ? { body } : {}) }),
  },
})

const foreignLlm = ({ seed }: TestServer) => seed.llm.otherOrganization
const foreignProject = ({ seed }: TestServer) => seed.otherOrganizationProjectId
const foreignKey = async ({ context, seed }: TestServer) => {
  const [key] = await context.database.read.apiKeys.list(seed.otherOrganizationId)
  return key?.id ?? ''
}
const foreignMember = async ({ context, seed }: TestServer) =>
  (await seedPerson(context.database, { organizationId: seed.otherOrganizationId })).userId
const newId = async () => randomUUID()
/** The newest row of the other organization's audit log, which is a new one. */
const foreignChange = async ({ context: { database }, seed }: TestServer) => {
  const organizationId = seed.otherOrganizationId
  await database.transaction(({ write }) =>
    write.audit.append({
      ...{ organizationId, projectId: null, before: null, after: { name: 'Theirs' } },
      actor: { kind: 'operator', id: null, ip: null, requestId: null },
      ...{ action: 'agent.created', entityKind: 'agent', entityId: randomUUID() },
    }),
  )
  const { rows } = await database.read.builder.audit.list(organizationId, { after: null, limit: 1 })
  return String(rows[0]?.id)
}

type Place = 'organization' | 'otherOrganization'

/** An agent or a team with its current version; teams are new, because one operation deletes its own. */
async function seeded(kind: 'agent' | 'team', { seed, context: { database } }: TestServer, place: Place) {
  const organizationId = place === 'organization' ? seed.organizationId : seed.otherOrganizationId
  const found =
    kind === 'agent'
      ? await database.read.agents.byId(organizationId, seed.agents[place])
      : await seedTeam(database, { organizationId, projectId: null }).then(({ teamId }) =>
          database.read.teams.byId(organizationId, teamId),
        )
  if (!found) throw new Error(`The seed has no ${kind}.`)
  return found
}

/** An operation on an agent or a team. */
function entity(kind: 'agent' | 'team', rest: string, body?: object): BuilderRow {
  const at = async (server: TestServer, place: Place) => {
    const { id } = await seeded(kind, server, place)
    return { path: `/${kind}s/${id}${rest}`, ...(body && { body }) }
  }
  return {
    own: (server) => at(server, 'organization'),
    foreign: { error: `${kind}_not_found`, request: (server) => at(server, 'otherOrganization') },
  }
}

/** An operation on a version of an agent or a team. */
function version(
  kind: 'agent' | 'team',
  rest: string,
  body?: object,
  error: ErrorCode = 'version_not_found',
): BuilderRow {
  const at = async (server: TestServer, place: Place) => {
    const { id, versionId } = await seeded(kind, server, place)
    return { path: `/${kind}s/${id}/versions/${versionId}${rest}`, ...(body && { body }) }
  }
  return {
    own: (server) => at(server, 'organization'),
    foreign: { error, request: (server) => at(server, 'otherOrganization') },
  }
}

/** An operation on a nonexistent run of the playground. */
const playground = (kind: 'agent' | 'team', rest: string): BuilderRow => ({
  own: async (server) => {
    const { id } = await seeded(kind, server, 'organization')
    return { path: `/${kind}s/${id}/playground/${UNKNOWN_ID}${rest}` }
  },
  foreign: {
    error: 'run_not_found',
    request: async (server) => {
      const { id } = await seeded(kind, server, 'otherOrganization')
      return { path: `/${kind}s/${id}/playground/${UNKNOWN_ID}${rest}` }
    },
  },
})

/** The request of an operation that is also in the public API. */
function asInPublicApi(id: Extract<BuilderOperationId, OperationId>): BuilderRow {
  const { own, otherOrganization } = ACCESS_TABLE[id]
  const below = async (request: AccessRequest | Promise<AccessRequest>) => {
    const { path, ...rest } = await request
    return { ...rest, path: path.slice('/api/v1'.length) }
  }
  return {
    own: (server) => below(own(server)),
    ...(otherOrganization && {
      foreign: {
        error: otherOrganization.error,
        request: (server) => below(otherOrganization.request(server)),
      },
    }),
  }
}

/** An operation below the path of another one. */
function below({ own, foreign }: BuilderRow, rest: string): BuilderRow {
  const longer = async (request: ReturnType<BuilderRow['own']>) => {
    const { path } = await request
    return { path: `${path}${rest}` }
  }
  return {
    own: (server) => longer(own(server)),
    ...(foreign && {
      foreign: { error: foreign.error, request: (server) => longer(foreign.request(server)) },
    }),
  }
}

/** An operation at the path of another one, with a body. */
function withBody({ own, foreign }: BuilderRow, body: object): BuilderRow {
  const at = async (request: ReturnType<BuilderRow['own']>) => ({ path: (await request).path, body })
  return {
    own: (server) => at(own(server)),
    ...(foreign && { foreign: { error: foreign.error, request: (server) => at(foreign.request(server)) } }),
  }
}

/** An operation on the unsaved changes of an agent. */
function unsaved(rest: string, body?: object): BuilderRow {
  const { own, foreign } = entity('agent', rest, body)
  const at = async (request: ReturnType<BuilderRow['own']>) => {
    const { path, ...more } = await request
    return { path: path.replace('/agents/', '/unsaved-changes/agent/'), ...more }
  }
  return {
    own: (server) => at(own(server)),
    ...(foreign && { foreign: { error: foreign.error, request: (server) => at(foreign.request(server)) } }),
  }
}

/** Every operation of the builder; a missing one does not compile. */
export const BUILDER_TABLE: Readonly<Record<BuilderOperationId, BuilderRow>> = {
  getUnsavedChanges: unsaved(''),
  getPersonsUnsavedChanges: unsaved(`/of/${UNKNOWN_ID}`),
  keepUnsavedChanges: unsaved('', { changeId: UNKNOWN_ID, replaces: null, edit: null }),
  listAgents: at('/agents'),
  createAgent: at('/agents', { name: 'Access' }),
  getAgent: entity('agent', ''),
  updateAgent: entity('agent', '', { name: 'Access', baseVersionId: UNKNOWN_ID }),
  setAgentStatus: entity('agent', '/status', { status: 'draft' }),
  duplicateAgent: entity('agent', '/duplicate', {}),
  playAgent: {
    ...entity('agent', '/playground', { message: 'Hello' }),
    own: entity('agent', '/playground', {}).own,
  },
  resumeAgentPlayground: playground('agent', '/stream'),
  cancelAgentPlayground: playground('agent', ''),
  showAgentPrompt: entity('agent', '/prompt', { message: 'Hello' }),
  listAgentVersions: entity('agent', '/versions'),
  getAgentVersion: version('agent', ''),
  describeAgentVersion: version('agent', '', { label: 'Access' }),
  restoreAgentVersion: version('agent', '/restore', { baseVersionId: UNKNOWN_ID }),
  listTeams: at('/teams'),
  createTeam: at('/teams', { name: 'Access', config: {} }),
  getTeam: entity('team', ''),
  updateTeam: entity('team', '', { name: 'Access', baseVersionId: UNKNOWN_ID }),
  deleteTeam: entity('team', ''),
  duplicateTeam: entity('team', '/duplicate', {}),
  playTeam: {
    ...entity('team', '/playground', { message: 'Hello' }),
    own: entity('team', '/playground', {}).own,
  },
  resumeTeamPlayground: playground('team', '/stream'),
  cancelTeamPlayground: playground('team', ''),
  showTeamPrompts: entity('team', '/prompts', { message: 'Hello' }),
  showNewTeamPrompts: at('/teams/prompts', {}),
  listTeamVersions: entity('team', '/versions'),
  getTeamVersion: version('team', ''),
  describeTeamVersion: version('team', '', { label: 'Access' }),
  restoreTeamVersion: version('team', '/restore', { baseVersionId: UNKNOWN_ID }, 'team_not_found'),
  getOrganization: at(''),
  updateOrganization: at('', {}),
  listProjects: at('/projects'),
  createProject: at('/projects', {}),
  updateProject: one('project_not_found', (id) => `/projects/${id}`, foreignProject, {
    name: 'Mine',
    version: 1,
  }),
  deleteProject: one('project_not_found', (id) => `/projects/${id}`, foreignProject),
  moveThings: {
    own: () => ({
      path: '/project-moves',
      body: { projectId: null, things: [{ kind: 'agent', id: UNKNOWN_ID }] },
    }),
    foreign: {
      error: 'validation_error',
      request: ({ seed }) => ({
        path: '/project-moves',
        body: { projectId: null, things: [{ kind: 'agent', id: seed.agents.otherOrganization }] },
      }),
    },
  },
  listMembers: at('/members'),
  changeMember: one('member_not_found', (id) => `/members/${id}`, foreignMember, { role: 'viewer' }),
  removeMember: one('member_not_found', (id) => `/members/${id}`, foreignMember),
  inviteMember: at('/invitations', {}),
  withdrawInvitation: one('invitation_not_found', (id) => `/invitations/${id}`, newId),
  listApiKeys: at('/api-keys'),
  createApiKey: at('/api-keys', {}),
  updateApiKey: one('api_key_not_found', (id) => `/api-keys/${id}`, foreignKey, { name: 'Mine' }),
  revokeApiKey: one('api_key_not_found', (id) => `/api-keys/${id}/revoke`, foreignKey),
  rotateApiKey: one('api_key_not_found', (id) => `/api-keys/${id}/rotate`, foreignKey, {}),
  listProviders: at('/providers'),
  listLlmConfigurations: at('/llm-configurations'),
  getLlmConfiguration: one('llm_configuration_not_found', (id) => `/llm-configurations/${id}`, foreignLlm),
  createLlmConfiguration: at('/llm-configurations', {}),
  updateLlmConfiguration: one(
    'llm_configuration_not_found',
    (id) => `/llm-configurations/${id}`,
    foreignLlm,
    {
      name: 'Mine',
      version: 1,
    },
  ),
  deleteLlmConfiguration: one('llm_configuration_not_found', (id) => `/llm-configurations/${id}`, foreignLlm),
  tryGuardrails: at('/guardrails/try', {}),
  testLlmConfiguration: at('/llm-configurations/test', {}),
  listProviderModels: at('/llm-configurations/models', {}),
  listBudgets: at('/budgets'),
  setBudget: at('/budgets', {}),
  deleteBudget: one('budget_not_found', (id) => `/budgets/${id}`, newId),
  listAudit: at('/audit'),
  getAuditedChange: one('audit_entry_not_found', (id) => `/audit/${id}`, foreignChange),
  ...OBSERVATION_ROWS,
  ...BUILDER_WORKFLOW_ROWS,
  ...CONNECTION_ROWS,
  ...PHONE_ROWS,
  ...VOICE_CONFIGURATION_ROWS,
  listKnowledgeBases: asInPublicApi('listKnowledgeBases'),
  createKnowledgeBase: asInPublicApi('createKnowledgeBase'),
  getKnowledgeBase: asInPublicApi('getKnowledgeBase'),
  updateKnowledgeBase: asInPublicApi('updateKnowledgeBase'),
  deleteKnowledgeBase: asInPublicApi('deleteKnowledgeBase'),
  listKnowledgeDocuments: asInPublicApi('listKnowledgeDocuments'),
  addKnowledgeDocument: asInPublicApi('addKnowledgeDocument'),
  getKnowledgeDocument: asInPublicApi('getKnowledgeDocument'),
  getKnowledgeDocumentText: below(asInPublicApi('getKnowledgeDocument'), '/text'),
  listKnowledgePassages: below(asInPublicApi('getKnowledgeDocument'), '/passages'),
  updateKnowledgeDocument: withBody(asInPublicApi('getKnowledgeDocument'), {
    ...{ name: 'a.md', text: 'Edited', metadata: {} },
    contentHash: createHash('sha256').update('Access').digest('hex'),
  }),
  rereadKnowledgeDocument: below(asInPublicApi('getKnowledgeDocument'), '/reread'),
  deleteKnowledgeDocument: asInPublicApi('deleteKnowledgeDocument'),
  searchKnowledgeBases: asInPublicApi('searchKnowledgeBases'),
  listSkills: asInPublicApi('listSkills'),
  getSkill: asInPublicApi('getSkill'),
  uploadSkill: asInPublicApi('uploadSkill'),
  deleteSkill: asInPublicApi('deleteSkill'),
  listMemories: asInPublicApi('listMemories'),
  deleteMemory: asInPublicApi('deleteMemory'),
  forgetUser: asInPublicApi('forgetUser'),
  testTool: asInPublicApi('testTool'),
  listOfferedTools: at('/tools/offered', { tool: { type: 'builtin', builtin: 'calculator' } }),
}
