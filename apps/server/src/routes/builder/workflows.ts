import { triggerHandlers } from '@troupe/builder/triggers/handlers'
import { workflowHandlers } from '@troupe/builder/workflows/handlers'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'
import { registerHandlers } from './handlers.ts'

/** Dependencies of the routes. */
export type WorkflowsContext = Pick<
  Context,
  'database' | 'configChanges' | 'secretBox' | 'passwords' | 'newId' | 'clock' | 'config'
>

/** Workflows with their versions and triggers. */
export function registerWorkflows(app: App, context: WorkflowsContext): void {
  const { secretBox: box, clock, config } = context
  const parts = { ...context, box, now: () => clock.now(), publicUrl: config.publicUrl }
  registerHandlers(app, [...workflowHandlers(parts), ...triggerHandlers(parts)])
}
