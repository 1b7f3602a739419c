import type { Scope } from '@troupe/agents/ports'
import { type Agent, type BodyOf, DomainError, mergeAgentConfig, type OPERATIONS } from '@troupe/contract'
import type { Actor, AgentRecord, Database } from '@troupe/database'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedAgent } from './audited-agent.ts'
import { CONFIG_SCHEMA_VERSION } from './config-schema-version.ts'
import { findAgent, type ReadAgent } from './find-agent.ts'
import { requireKnowledgeBases } from './knowledge-references.ts'
import { requireLlmConfigurations } from './llm-references.ts'
import { presentAgent } from './present-agent.ts'

type UpdateBody = BodyOf<(typeof OPERATIONS)['updateAgent']>

/** What the operation uses. */
export interface UpdateAgentParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/**
 * Changes an agent and records a version. The row is locked while the configuration is merged, so concurrent
 * updates are serialized and none is lost.
 *
 * @throws DomainError `validation_error`, `agent_not_found`, `forbidden` or `llm_configuration_not_found`
 */
export async function updateAgent(
  { database, configChanges }: UpdateAgentParts,
  scope: Scope,
  actor: Actor,
  agentId: string,
  body: UpdateBody,
): Promise<Agent> {
  requireAnyField(body)
  const updated = await database.transaction(async ({ read, write }) => {
    const lock: ReadAgent = (organizationId, id) => write.agents.lock(organizationId, id)
    const before = await findAgent(lock, scope, agentId).catch((notHere: unknown) => {
      // A body that is invalid for every agent gets 400 before 404 and 403 are considered.
      mergeOrThrow(body)
      throw notHere
    })
    const config = mergeOrThrow(body, before)
    if (body.config) {
      const { projectId } = before
      await requireLlmConfigurations((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, {
        projectId,
        config,
      })
      await requireKnowledgeBases(read, scope, { projectId, config })
    }
    const after = await write.agents.update(
      {
        ...before,
        name: body.name ?? before.name,
        description: body.description === undefined ? before.description : body.description,
        config,
        configSchemaVersion: CONFIG_SCHEMA_VERSION,
      },
      actor,
    )
    await write.audit.append({
      organizationId: scope.organizationId,
      projectId: after.projectId,
      actor,
      action: 'agent.updated',
      entityKind: 'agent',
      entityId: after.id,
      before: auditedAgent(before),
      after: auditedAgent(after),
    })
    return after
  })
  configChanges.committed(scope.organizationId)
  return presentAgent(updated)
}

function requireAnyField(body: UpdateBody): void {
  if (body.name !== undefined || body.description !== undefined || body.config !== undefined) return
  throw new DomainError('validation_error', 'At least one of name, description, config must be provided.', {
    errors: [{ path: 'body', message: 'must have at least one of name, description, config' }],
  })
}

function mergeOrThrow(body: UpdateBody, before?: AgentRecord): AgentRecord['config'] {
  const merged = mergeAgentConfig(body.config ?? {}, before?.config)
  if (merged.ok) return merged.config
  throw new DomainError('validation_error', 'The configuration is not valid.', { errors: merged.errors })
}
