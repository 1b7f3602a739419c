import { bundleHandlers } from '@troupe/builder/bundles/handlers'
import { triggerHandlers } from '@troupe/builder/triggers/handlers'
import { uploadHandlers } from '@troupe/builder/uploads/handlers'
import { workflowHandlers } from '@troupe/builder/workflows/handlers'
import type { App } from '@troupe/http/server-types'
import { applyPartsOf, type BundleContext } from '../../boot/bundle-context.ts'
import type { Context } from '../../wiring/context.ts'
import { registerHandlers } from './handlers.ts'
import { registerUploadContent } from './uploads.ts'

/** Dependencies of the routes. */
export type WorkflowsContext = BundleContext & Pick<Context, 'database' | 'files' | 'passwords' | 'workflows'>

/** Workflows with their versions and triggers, uploaded files, and bundles. */
export function registerWorkflows(app: App, context: WorkflowsContext): void {
  const { secretBox: box, clock, config } = context
  const { runner, graphs } = context.workflows
  const parts = { ...context, box, runner, graphs, now: () => clock.now(), publicUrl: config.publicUrl }
  registerHandlers(app, [
    ...workflowHandlers(parts),
    ...triggerHandlers(parts),
    ...uploadHandlers(parts),
    ...bundleHandlers(applyPartsOf(context)),
  ])
  registerUploadContent(app, parts)
}
