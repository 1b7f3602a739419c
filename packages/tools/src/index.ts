export { type CodeSandbox, createCodeSandbox } from './code/code-sandbox.ts'
export { createToolboxes, type ToolParts } from './create-toolboxes.ts'
export { NO_MCP_SERVERS } from './mcp/mcp-endpoint.ts'
export type { WorkflowCall, WorkflowFacts, WorkflowTools } from './workflow/workflow-tools.ts'
