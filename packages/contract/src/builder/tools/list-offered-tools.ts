import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { OPERATIONS } from '../../operations.ts'
import { Nullable } from '../../schema/nullable.ts'
import { MAX_LISTED_TOOLS } from '../../tools/test-tool.ts'
import { LeftOutTools } from '../mcp-servers/mcp-server.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const { tool, tool_context } = OPERATIONS.testTool.body.properties

/** The tools of a configuration. */
export const OfferedToolNames = Type.Object({
  names: Type.Array(Type.String(), {
    maxItems: MAX_LISTED_TOOLS,
    description: 'As a model would call them, also where they are too many for one agent.',
  }),
  leftOut: LeftOutTools,
  problem: Nullable(
    Type.String({ description: 'Why the server or the document offers none; null when it could be read.' }),
  ),
})
export type OfferedToolNames = Static<typeof OfferedToolNames>

export const listOfferedToolsForBuilder = defineOperation({
  id: 'listOfferedTools',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/tools/offered`,
  tag: 'Tools',
  summary: 'List the tools of a configuration',
  description: `An MCP server or an OpenAPI document offers several. None is called. At most ${MAX_LISTED_TOOLS}.`,
  access: 'builder',
  needs: 'build',
  params: Type.Object(organizationParams),
  body: Type.Object({ tool, tool_context }, { additionalProperties: false }),
  success: {
    status: 200,
    description: 'Their names, and those that cannot be offered.',
    body: OfferedToolNames,
  },
  errors: ['validation_error', 'credential_not_found'],
})
