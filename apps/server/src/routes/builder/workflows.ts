import { bundleHandlers } from '@troupe/bundles/organization/handlers'
import type { App } from '@troupe/http/server-types'
import type { Form } from '@troupe/nodes/form'
import { triggerHandlers } from '@troupe/operations/triggers/handlers'
import { uploadHandlers } from '@troupe/operations/uploads/handlers'
import { workflowHandlers } from '@troupe/operations/workflow-editor/handlers'
import { formPreview } from '@troupe/server-html/forms/form-states'
import { applyPartsOf, type BundleContext } from '../../boot/bundle-context.ts'
import type { Context } from '../../wiring/context.ts'
import { registerHandlers } from './handlers.ts'
import { registerUploadContent } from './uploads.ts'

/** Dependencies of the routes. */
export type WorkflowsContext = BundleContext &
  Pick<Context, 'database' | 'files' | 'passwords' | 'workflows' | 'newId'>

/** Workflows with their versions and triggers, uploaded files, and bundles. */
export function registerWorkflows(app: App, context: WorkflowsContext): void {
  const { secretBox: box, clock, config } = context
  const { runner, graphs } = context.workflows
  const parts = {
    ...context,
    box,
    runner,
    graphs,
    now: () => clock.now(),
    publicUrl: config.publicUrl,
    renderForm: (form: Form) => formPreview(form, config.forms.maxFileBytes),
  }
  registerHandlers(app, [
    ...workflowHandlers(parts),
    ...triggerHandlers(parts),
    ...uploadHandlers(parts),
    ...bundleHandlers(applyPartsOf(context)),
  ])
  registerUploadContent(app, parts)
}
