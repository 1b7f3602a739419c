import { OPERATOR_OPERATIONS } from '@troupe/contract'
import { confirmMcpServerTools, listMcpServerTools } from '@troupe/operations/mcp-servers/server-tools'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

export function registerMcpServerTools(app: App, context: Pick<Context, 'database'>): void {
  registerOperation(app, OPERATOR_OPERATIONS.listMcpServerTools, ({ query }) =>
    listMcpServerTools(context, query),
  )
  registerOperation(app, OPERATOR_OPERATIONS.confirmMcpServerTools, ({ actor, body }) =>
    confirmMcpServerTools(context, actor, body),
  )
}
