import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import {
  ConfirmToolsBody,
  CreateMcpServerBody,
  McpConnectionResult,
  McpServerDetails,
  RegisteredMcpServerPage,
  UpdateMcpServerBody,
} from './mcp-server.ts'

const PATH = `${ORGANIZATION_PATH}/mcp-servers` as const
const ONE = `${PATH}/{mcpServerId}` as const
const TAG = 'MCP servers'
const organization = Type.Object(organizationParams)
const params = Type.Object({ ...organizationParams, mcpServerId: Type.String() })

const listMcpServersForBuilder = defineOperation({
  id: 'listMcpServers',
  method: 'GET',
  path: PATH,
  tag: TAG,
  summary: 'List the MCP servers that tools may name',
  access: 'builder',
  needs: 'read',
  params: organization,
  query: Type.Object(configurationQuery),
  success: { status: 200, description: 'One page of servers.', body: RegisteredMcpServerPage },
  errors: ['validation_error'],
})

const getMcpServerForBuilder = defineOperation({
  id: 'getMcpServer',
  method: 'GET',
  path: ONE,
  tag: TAG,
  summary: 'Get an MCP server with its tools',
  access: 'builder',
  needs: 'read',
  params,
  success: { status: 200, description: 'The server.', body: McpServerDetails },
  errors: ['mcp_server_not_found'],
})

const createMcpServerForBuilder = defineOperation({
  id: 'createMcpServer',
  method: 'POST',
  path: PATH,
  tag: TAG,
  summary: 'Register an MCP server',
  access: 'builder',
  needs: 'manage',
  params: organization,
  body: CreateMcpServerBody,
  success: {
    status: 201,
    description: 'The server. Its tools have not been requested yet.',
    body: McpServerDetails,
    unchanged: 'The server with this id exists.',
  },
  errors: ['validation_error', 'project_not_found', 'credential_not_found', 'slug_taken', 'id_taken'],
})

const updateMcpServerForBuilder = defineOperation({
  id: 'updateMcpServer',
  method: 'PUT',
  path: ONE,
  tag: TAG,
  summary: 'Change an MCP server',
  description: 'Another URL means another server: confirmations are deleted.',
  access: 'builder',
  needs: 'manage',
  params,
  body: UpdateMcpServerBody,
  success: { status: 200, description: 'The server.', body: McpServerDetails },
  errors: [
    'validation_error',
    'mcp_server_not_found',
    'project_not_found',
    'credential_not_found',
    'version_conflict',
    'slug_taken',
  ],
})

const deleteMcpServerForBuilder = defineOperation({
  id: 'deleteMcpServer',
  method: 'DELETE',
  path: ONE,
  tag: TAG,
  summary: 'Delete an MCP server that nothing uses',
  access: 'builder',
  needs: 'manage',
  params,
  success: { status: 204, description: 'Deleted with its stored tools.', body: Type.Null() },
  errors: ['mcp_server_not_found', 'in_use'],
})

const connectMcpServerForBuilder = defineOperation({
  id: 'connectMcpServer',
  method: 'POST',
  path: `${ONE}/connect`,
  tag: TAG,
  summary: 'Refresh the tools of an MCP server',
  description:
    'An unusable server is a normal response: `error` says why. Tools that are new are stored as they are; those ' +
    'that have changed since are omitted from agents until they are confirmed.',
  access: 'builder',
  needs: 'build',
  params,
  success: { status: 200, description: 'The answer of the server.', body: McpConnectionResult },
  errors: ['mcp_server_not_found'],
})

const confirmToolsForBuilder = defineOperation({
  id: 'confirmMcpTools',
  method: 'POST',
  path: `${ONE}/confirm`,
  tag: TAG,
  summary: 'Confirm changed tools of an MCP server',
  description:
    'Agents get these tools again. Nothing is confirmed unless the server offers every tool exactly as in the request.',
  access: 'builder',
  needs: 'manage',
  params,
  body: ConfirmToolsBody,
  success: { status: 200, description: 'The server.', body: McpServerDetails },
  errors: ['validation_error', 'mcp_server_not_found'],
})

/** MCP servers that tools may name. */
export const MCP_SERVER_OPERATIONS = {
  listMcpServers: listMcpServersForBuilder,
  getMcpServer: getMcpServerForBuilder,
  createMcpServer: createMcpServerForBuilder,
  updateMcpServer: updateMcpServerForBuilder,
  deleteMcpServer: deleteMcpServerForBuilder,
  connectMcpServer: connectMcpServerForBuilder,
  confirmMcpTools: confirmToolsForBuilder,
} as const
