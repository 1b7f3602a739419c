import { type Static, Type } from 'typebox'
import { Slug } from '../bundles/bundle-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { Nullable } from '../schema/nullable.ts'

const PATH = '/api/builder/mcp-servers/tools'
const ERRORS = ['validation_error', 'organization_not_found', 'mcp_server_not_found'] as const
const server = {
  organization: Type.String({ description: 'Slug of the organization.' }),
  server: Type.String({ description: 'Slug of the MCP server.' }),
}
const fingerprint = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Changes with the description and the input schema.',
})
const toolName = Type.String({ minLength: 1, maxLength: 128 })
const definition = Type.String({
  description:
    'The description and the input schema that models read, as JSON. A tool with more than 60,000 characters is not offered.',
})

/** The tools that a server has offered to agents. */
export const McpServerTools = Type.Object({
  data: Type.Array(
    Type.Object({
      name: toolName,
      fingerprint,
      definition,
      changed: Nullable(
        Type.Object(
          { fingerprint, definition, at: Type.String({ format: 'date-time' }) },
          { description: 'The current definition, if it differs: agents get the tool once it is confirmed.' },
        ),
      ),
    }),
  ),
})
export type McpServerTools = Static<typeof McpServerTools>

const closed = { additionalProperties: false }

export const ConfirmMcpToolsBody = Type.Object(
  {
    organization: Slug,
    server: Slug,
    tools: Type.Array(Type.Object({ name: toolName, fingerprint }, closed), { minItems: 1, maxItems: 256 }),
  },
  {
    ...closed,
    examples: [
      {
        organization: 'lakeside',
        server: 'tickets',
        tools: [{ name: 'create_ticket', fingerprint: 'q0X3vT9cS1uJb7kLx2dEfA' }],
      },
    ],
  },
)
export type ConfirmMcpToolsBody = Static<typeof ConfirmMcpToolsBody>

export const listMcpServerToolsOperation = defineOperation({
  id: 'listMcpServerTools',
  method: 'GET',
  path: PATH,
  tag: 'Operator',
  summary: 'List the tools that an MCP server has offered, and how they have changed',
  access: 'operator',
  query: Type.Object(server),
  success: { status: 200, description: 'The tools by name.', body: McpServerTools },
  errors: ERRORS,
})

export const confirmMcpServerToolsOperation = defineOperation({
  id: 'confirmMcpServerTools',
  method: 'POST',
  path: PATH,
  tag: 'Operator',
  summary: 'Confirm changed tools of an MCP server',
  description:
    'Agents get these tools again. Nothing is confirmed unless the server offers every tool exactly as in the request.',
  access: 'operator',
  body: ConfirmMcpToolsBody,
  success: { status: 200, description: 'The tools by name.', body: McpServerTools },
  errors: ERRORS,
})
