import { OPERATIONS } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { listOfferedTools } from '@troupe/operations/tools/list-offered-tools'
import { testTool } from '@troupe/operations/tools/test-tool'
import type { Context } from '../../wiring/context.ts'
import { callerOf } from '../callers/caller-of.ts'

/** Dependencies of the route. */
type ToolRoutes = Pick<Context, 'database' | 'runs' | 'toolSources' | 'newId' | 'clock'>

export function registerTools(app: App, { database, runs, toolSources, newId, clock }: ToolRoutes): void {
  const { toolboxes } = runs.deps
  const parts = { read: database.read, toolboxes, toolSources, newId, now: () => clock.now() }
  for (const { testTool: operation } of [OPERATIONS, BUILDER_OPERATIONS]) {
    registerOperation(app, operation, (call) => testTool(parts, callerOf(call).scope, call.body))
  }
  registerOperation(app, BUILDER_OPERATIONS.listOfferedTools, ({ caller, body }) =>
    listOfferedTools(parts, caller, body),
  )
}
