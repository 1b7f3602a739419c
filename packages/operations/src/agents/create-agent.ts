import type { Scope } from '@troupe/agents/ports'
import {
  AgentId,
  type BodyOf,
  DomainError,
  type NewId,
  type OPERATIONS,
  type SavedAgent,
} from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { requireOwnId } from '../catalog/id-taken.ts'
import { agentCredentials } from '../credentials/credential-references.ts'
import { requireCredentials } from '../credentials/require-credentials.ts'
import { agentSettingsOf } from '../runnables/agent-settings.ts'
import { auditedRunnable } from '../runnables/audited-runnable.ts'
import { presentAgent } from '../runnables/present-runnable.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { CONFIG_SCHEMA_VERSION } from './config-schema-version.ts'
import { holdReferences } from './hold-references.ts'
import { requireKnowledgeBases } from './knowledge-references.ts'
import { requireLlmConfigurations } from './llm-references.ts'
import { mergeUsableConfig } from './merge-usable-config.ts'
import { saveWarnings, withWarnings } from './save-warnings.ts'
import { addressWarnings, requireSources, type ToolSourceCheck } from './source-check.ts'
import { requireToolReferences } from './tool-references.ts'

/** Dependencies of the operation. */
export interface CreateAgentParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
  newId: NewId
  toolSources: ToolSourceCheck
}

/**
 * Creates a draft with its first version. A project scope always creates in its own project.
 *
 * @throws DomainError `validation_error`, `id_taken`, `project_not_found`, `llm_configuration_not_found` or
 *   `credential_not_found`
 */
export async function createAgent(
  { database, configChanges, newId, toolSources }: CreateAgentParts,
  scope: Scope,
  actor: Actor,
  body: BodyOf<(typeof OPERATIONS)['createAgent']>,
): Promise<SavedAgent> {
  const merged = mergeUsableConfig(body.config ?? {})
  if (!merged.ok) {
    throw new DomainError('validation_error', 'The configuration is not valid.', { errors: merged.errors })
  }
  const ofSources = await requireSources(toolSources, scope.organizationId, merged.config.tools)
  const { organizationId } = scope
  const projectId = requestedProject(scope, body.projectId)
  const id: AgentId = newId(AgentId)
  const agent = await database.transaction(async ({ read, write }) => {
    // See `holdReferences`. No other agent can name this one before the commit, because an agent can only name existing
    // ones. The organization is therefore held, not locked, even if the tools include agents.
    await write.organizations.hold(organizationId)
    await holdReferences(write, organizationId, merged.config)
    await requireOwnId({ read, write }, 'agent', { organizationId, id })
    await requireProject(read, organizationId, projectId)
    await requireLlmConfigurations((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, {
      projectId,
      config: merged.config,
    })
    await requireCredentials(read, scope, { projectId, references: agentCredentials(merged.config) })
    await requireToolReferences(read, scope, { id: null, projectId, config: merged.config })
    const created = await write.agents.insert(
      {
        id,
        organizationId,
        projectId,
        slug: null,
        name: body.name,
        ...agentSettingsOf(body),
        status: 'draft',
        config: merged.config,
        configSchemaVersion: CONFIG_SCHEMA_VERSION,
      },
      actor,
    )
    await requireKnowledgeBases(read, scope, { projectId, config: merged.config })
    await requireSkills(read, scope, { projectId, config: merged.config })
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'agent.created',
      entityKind: 'agent',
      entityId: created.id,
      before: null,
      after: auditedRunnable(created),
    })
    return created
  })
  configChanges.committed(organizationId)
  const ofAddresses = await addressWarnings(toolSources, [
    { owner: organizationId, path: '', tools: merged.config.tools },
  ])
  return withWarnings(presentAgent(agent), saveWarnings(merged.config, [...ofSources, ...ofAddresses]))
}
