import { randomUUID } from 'node:crypto'
import { type ErrorCode, propertyOf } from '@troupe/contract'
import type { BuilderOperationId } from '@troupe/contract/builder'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRequest, BuilderRow } from './builder-row.ts'

type ConnectionOperation = Extract<
  BuilderOperationId,
  | `${string}Credential${'' | 's'}`
  | `${string}McpServer${'' | 's'}`
  | 'confirmMcpTools'
  | 'listSkillVersions'
  | 'getSkillFile'
  | 'listResourceUsers'
>

/** Creates a resource in an organization, as the operator, and returns its id. */
async function made(
  server: TestServer,
  place: 'organization' | 'otherOrganization',
  path: string,
  body: object,
  idField: string,
): Promise<string> {
  const { organizationId, otherOrganizationId } = server.seed
  const organization = place === 'organization' ? organizationId : otherOrganizationId
  const answer = await server.call(`POST /api/builder/v1/organizations/${organization}${path}`, {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}` },
    body,
  })
  const id = propertyOf(answer.body, idField)
  if (typeof id !== 'string') throw new Error(`${path} answered ${JSON.stringify(answer.body)}`)
  return id
}

type Make = (server: TestServer, place: 'organization' | 'otherOrganization') => Promise<string>

const credential: Make = (server, place) => {
  const slug = `access-${randomUUID().slice(0, 8)}`
  const body = { slug, name: 'Access', kind: 'bearer', secret: 'token', hosts: ['tools.example'] }
  return made(server, place, '/credentials', body, 'credentialId')
}

const mcpServer: Make = (server, place) => {
  const slug = `access-${randomUUID().slice(0, 8)}`
  // A port without a listener, so that connecting fails immediately.
  const body = { slug, name: 'Access', url: 'http://127.0.0.1:1/mcp' }
  return made(server, place, '/mcp-servers', body, 'mcpServerId')
}

const skill: Make = (server, place) => {
  const files = { 'SKILL.md': '---\nname: access\ndescription: Access.\n---\n' }
  return made(server, place, '/skills', { files }, 'skillId')
}

/** An operation on the organization, or on a list of it. */
const at = (path: string, body?: object): BuilderRow => ({ own: () => ({ path, ...(body ? { body } : {}) }) })

/** An operation on one resource, of this organization or another one. */
function of(make: Make, error: ErrorCode, path: (id: string) => string, body?: object): BuilderRow {
  const request = async (server: TestServer, place: Parameters<Make>[1]): Promise<BuilderRequest> => ({
    path: path(await make(server, place)),
    ...(body ? { body } : {}),
  })
  return {
    own: (server) => request(server, 'organization'),
    foreign: { error, request: (server) => request(server, 'otherOrganization') },
  }
}

const CHANGE = { name: 'Mine', version: 1 }
const TOOLS = { tools: [{ name: 'echo', fingerprint: 'none' }] }

const ofCredential = (body?: object) =>
  of(credential, 'credential_not_found', (id) => `/credentials/${id}`, body)
const ofServer = (rest: string, body?: object) =>
  of(mcpServer, 'mcp_server_not_found', (id) => `/mcp-servers/${id}${rest}`, body)

/** Operations on credentials, MCP servers, and the builder's own operations on skills and knowledge. */
export const CONNECTION_ROWS: Readonly<Record<ConnectionOperation, BuilderRow>> = {
  listCredentials: at('/credentials'),
  createCredential: at('/credentials', {}),
  getCredential: ofCredential(),
  updateCredential: ofCredential(CHANGE),
  deleteCredential: ofCredential(),
  listMcpServers: at('/mcp-servers'),
  createMcpServer: at('/mcp-servers', {}),
  getMcpServer: ofServer(''),
  updateMcpServer: ofServer('', CHANGE),
  deleteMcpServer: ofServer(''),
  connectMcpServer: ofServer('/connect'),
  confirmMcpTools: ofServer('/confirm', TOOLS),
  listSkillVersions: of(skill, 'skill_not_found', (id) => `/skills/${id}/versions`),
  getSkillFile: of(skill, 'skill_not_found', (id) => `/skills/${id}/file?path=SKILL.md`),
  listResourceUsers: at(`/resource-users?kind=skill&ids=${randomUUID()}`),
}
