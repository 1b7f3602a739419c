import { DEPLOYMENT_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { apiKeyHandlers } from '@troupe/operations/api-keys/handlers'
import { auditHandlers } from '@troupe/operations/audit/handlers'
import { budgetHandlers } from '@troupe/operations/budgets/handlers'
import { credentialHandlers } from '@troupe/operations/credentials/handlers'
import { DocumentFiles } from '@troupe/operations/knowledge/documents/document-files'
import { llmConfigurationHandlers } from '@troupe/operations/llm-configurations/handlers'
import { mcpServerHandlers } from '@troupe/operations/mcp-servers/handlers'
import { memberHandlers } from '@troupe/operations/members/handlers'
import { createOrganization } from '@troupe/operations/organization/create-organization'
import { organizationHandlers } from '@troupe/operations/organization/handlers'
import { phoneHandlers } from '@troupe/operations/phone/handlers'
import { projectHandlers } from '@troupe/operations/projects/handlers'
import { resourceHandlers } from '@troupe/operations/resources/handlers'
import { unsavedChangesHandlers } from '@troupe/operations/unsaved-changes/handlers'
import { voiceConfigurationHandlers } from '@troupe/operations/voice-configurations/handlers'
import type { Context } from '../../wiring/context.ts'
import { answered, registerHandlers } from './handlers.ts'

/** Dependencies of the routes. */
export type OrganizationContext = Pick<
  Context,
  | 'database'
  | 'configChanges'
  | 'newId'
  | 'clock'
  | 'mailer'
  | 'config'
  | 'passwords'
  | 'secretBox'
  | 'outgoing'
  | 'mcpDirectory'
  | 'knowledge'
  | 'calls'
  | 'workflows'
>

/** The organization with its settings: projects, members, API keys, connections, budgets, audit log. */
export function registerOrganization(app: App, context: OrganizationContext): void {
  const { publicUrl, limitCeilings } = context.config
  const parts = { ...context, publicUrl, limitCeilings, now: () => context.clock.now() }
  registerHandlers(app, [
    ...organizationHandlers(parts),
    ...projectHandlers(parts),
    ...memberHandlers(parts),
    ...apiKeyHandlers(parts),
    ...llmConfigurationHandlers(parts),
    ...credentialHandlers(parts),
    ...mcpServerHandlers(parts),
    ...phoneHandlers({ ...parts, provisioning: context.calls.provisioning }),
    ...voiceConfigurationHandlers(parts),
    ...unsavedChangesHandlers(parts),
    ...resourceHandlers({ ...parts, documents: new DocumentFiles(context.knowledge) }),
    ...budgetHandlers({ ...parts, send: context.workflows.send }),
    ...auditHandlers(parts),
  ])
  registerOperation(app, DEPLOYMENT_OPERATIONS.createOrganization, async ({ actor, body }, reply) =>
    answered(reply, await createOrganization(parts, actor, body)),
  )
}
