import { OPERATOR_OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { confirmMcpServerTools, listMcpServerTools } from '@troupe/operations/mcp-servers/server-tools'
import type { Context } from '../../wiring/context.ts'

export function registerMcpServerTools(app: App, context: Pick<Context, 'database'>): void {
  registerOperation(app, OPERATOR_OPERATIONS.listMcpServerTools, ({ query }) =>
    listMcpServerTools(context, query),
  )
  registerOperation(app, OPERATOR_OPERATIONS.confirmMcpServerTools, ({ actor, body }) =>
    confirmMcpServerTools(context, actor, body),
  )
}
