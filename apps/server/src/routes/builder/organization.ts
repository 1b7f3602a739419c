import { apiKeyHandlers } from '@troupe/builder/api-keys/handlers'
import { auditHandlers } from '@troupe/builder/audit/handlers'
import { budgetHandlers } from '@troupe/builder/budgets/handlers'
import { credentialHandlers } from '@troupe/builder/credentials/handlers'
import { llmConfigurationHandlers } from '@troupe/builder/llm-configurations/handlers'
import { mcpServerHandlers } from '@troupe/builder/mcp-servers/handlers'
import { memberHandlers } from '@troupe/builder/members/handlers'
import { createOrganization } from '@troupe/builder/organization/create-organization'
import { organizationHandlers } from '@troupe/builder/organization/handlers'
import { phoneHandlers } from '@troupe/builder/phone/handlers'
import { projectHandlers } from '@troupe/builder/projects/handlers'
import { resourceHandlers } from '@troupe/builder/resources/handlers'
import { voiceConfigurationHandlers } from '@troupe/builder/voice-configurations/handlers'
import { DEPLOYMENT_OPERATIONS } from '@troupe/builder-contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { DocumentFiles } from '@troupe/retrieval/documents/document-files'
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
    ...resourceHandlers({ ...parts, documents: new DocumentFiles(context.knowledge) }),
    ...budgetHandlers({ ...parts, send: context.workflows.send }),
    ...auditHandlers(parts),
  ])
  registerOperation(app, DEPLOYMENT_OPERATIONS.createOrganization, async ({ actor, body }, reply) =>
    answered(reply, await createOrganization(parts, actor, body)),
  )
}
