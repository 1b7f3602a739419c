import { randomUUID } from 'node:crypto'
import type { BuilderOperationId } from '@troupe/builder-contract'
import type { ErrorCode } from '@troupe/contract'
import { seedPerson } from '../server/seed-person.ts'
import type { TestServer } from '../server/start-test-server.ts'

/** One request below the organization's path. */
export interface BuilderRequest {
  /** What follows `/organizations/{organizationId}`: ``, `/agents/<id>`. */
  path: string
  body?: object
}

/** How one operation of the builder is tried by callers without access. */
export interface BuilderRow {
  /** A request that an owner and the operator may send; it need not succeed, but must get past admission. */
  own: (server: TestServer) => BuilderRequest | Promise<BuilderRequest>
  /** The same request for a resource of another organization: must look exactly like an unknown id. */
  foreign?: { error: ErrorCode; request: (server: TestServer) => BuilderRequest | Promise<BuilderRequest> }
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** An operation on the organization, or on a list of it. */
const at = (path: string, body?: object): BuilderRow => ({ own: () => ({ path, ...(body ? { body } : {}) }) })

/** An operation on one resource, of an id that nobody has; `foreign` finds one of another organization. */
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

/** Every operation of the builder; a missing one does not compile. */
export const BUILDER_TABLE: Readonly<Record<BuilderOperationId, BuilderRow>> = {
  getOrganization: at(''),
  updateOrganization: at('', {}),
  listProjects: at('/projects'),
  createProject: at('/projects', {}),
  updateProject: one('project_not_found', (id) => `/projects/${id}`, foreignProject, {
    name: 'Mine',
    version: 1,
  }),
  deleteProject: one('project_not_found', (id) => `/projects/${id}`, foreignProject),
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
  updateLlmConfiguration: one('llm_configuration_not_found', (id) => `/llm-configurations/${id}`, foreignLlm, {
    name: 'Mine',
    version: 1,
  }),
  deleteLlmConfiguration: one('llm_configuration_not_found', (id) => `/llm-configurations/${id}`, foreignLlm),
  testLlmConfiguration: at('/llm-configurations/test', {}),
  listProviderModels: at('/llm-configurations/models', {}),
  listBudgets: at('/budgets'),
  setBudget: at('/budgets', {}),
  deleteBudget: one('budget_not_found', (id) => `/budgets/${id}`, newId),
  listAudit: at('/audit'),
}
