import type { Scope } from '@troupe/agents/ports'
import {
  type AgentId,
  type BodyOf,
  DomainError,
  type IdText,
  mergeAgentConfig,
  type OPERATIONS,
  propertyOf,
  type SavedAgent,
} from '@troupe/contract'
import type { Actor, AgentRecord, Database } from '@troupe/storage'
import type { ChangeOptions } from '../catalog/change-options.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { agentCredentials } from '../credentials/credential-references.ts'
import { requireCredentials } from '../credentials/require-credentials.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { AGENT_SETTINGS, agentSettingsOf } from '../runnables/agent-settings.ts'
import { auditedRunnable } from '../runnables/audited-runnable.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
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

type UpdateBody = BodyOf<(typeof OPERATIONS)['updateAgent']>

/** Dependencies of the operation. */
export interface UpdateAgentParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
  toolSources: ToolSourceCheck
}

/**
 * Changes an agent and records a version. The row is locked while the configuration is merged, so concurrent
 * updates are serialized and none is lost.
 *
 * @throws DomainError `validation_error`, `agent_not_found`, `forbidden`, `llm_configuration_not_found` or
 *   `credential_not_found`
 */
export async function updateAgent(
  { database, configChanges, toolSources }: UpdateAgentParts,
  scope: Scope,
  actor: Actor,
  agentId: IdText<AgentId>,
  body: UpdateBody,
  { replace = false, check, action = 'agent.updated' }: ChangeOptions<AgentRecord> = {},
): Promise<SavedAgent> {
  requireAnyField(body)
  // Before the row is locked. Arrays are replaced as a whole, so the tools of the body will be those of the agent.
  const ofSources = await requireSources(toolSources, scope.organizationId, body.config?.tools)
  const updated = await database.transaction(async ({ read, write, versions }) => {
    if (body.config) {
      // See `holdReferences`. Of two saves that name each other's agent, the second must see the cycle.
      await write.organizations[namesAgents(body.config) ? 'lock' : 'hold'](scope.organizationId)
      await holdReferences(write, scope.organizationId, body.config)
    }
    const before = await findRunnable('agent', write.agents.lock, scope, agentId).catch(
      (notHere: unknown) => {
        // A body that is invalid for every agent gets 400 before 404 and 403 are considered.
        mergeOrThrow(body)
        throw notHere
      },
    )
    await check?.(before, { versions, write })
    requireShownName(body.name, before)
    const config = mergeOrThrow(body, replace ? undefined : before)
    if (body.config) {
      const { projectId } = before
      await requireLlmConfigurations((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, {
        projectId,
        config,
      })
      await requireCredentials(read, scope, { projectId, references: agentCredentials(config) })
      // Tools that are not in the body keep their references, whose targets may have been deleted.
      if (body.config.tools) await requireToolReferences(read, scope, { id: before.id, projectId, config })
      await requireKnowledgeBases(read, scope, { projectId, config })
      if (body.config.skills) await requireSkills(read, scope, { projectId, config })
    }
    const after = await write.agents.update(
      {
        ...before,
        name: body.name ?? before.name,
        ...agentSettingsOf(body, before),
        config,
        configSchemaVersion: CONFIG_SCHEMA_VERSION,
      },
      actor,
    )
    await write.audit.append({
      organizationId: scope.organizationId,
      projectId: after.projectId,
      actor,
      action,
      entityKind: 'agent',
      entityId: after.id,
      before: auditedRunnable(before),
      after: auditedRunnable(after),
    })
    return after
  })
  configChanges.committed(scope.organizationId)
  if (!body.config) return presentAgent(updated)
  const ofAddresses = await addressWarnings(toolSources, [
    { owner: scope.organizationId, path: '', tools: body.config.tools },
  ])
  return withWarnings(presentAgent(updated), saveWarnings(updated.config, [...ofSources, ...ofAddresses]))
}

/** Whether a configuration, validated or not, has an agent among its tools. */
function namesAgents({ tools }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(tools) && tools.some((tool) => propertyOf(tool, 'type') === 'agent')
}

function requireAnyField(body: UpdateBody): void {
  const fields = ['name', ...AGENT_SETTINGS, 'config'] as const
  if (fields.some((field) => body[field] !== undefined)) return
  const named = fields.join(', ')
  throw new DomainError('validation_error', `At least one of ${named} must be provided.`, {
    errors: [{ path: 'body', message: `must have at least one of ${named}` }],
  })
}

function mergeOrThrow(body: UpdateBody, before?: AgentRecord): AgentRecord['config'] {
  const merged = body.config
    ? mergeUsableConfig(body.config, before?.config)
    : mergeAgentConfig({}, before?.config)
  if (merged.ok) return merged.config
  throw new DomainError('validation_error', 'The configuration is not valid.', { errors: merged.errors })
}
