import { Choice } from './choice.ts'
import { Nullable } from './nullable.ts'

/** `expose`: the other protocols that offer an agent, a team or a workflow; null: only the API. */
export const Expose = Nullable(
  Choice(['mcp'], { description: 'mcp: offered as a tool by the MCP server at /api/v1/mcp.' }),
)
