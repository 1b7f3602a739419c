import type { RunRequest } from '@troupe/agents'
import type { Clock } from '@troupe/agents/ports'
import { type AnyId, asId } from '@troupe/contract'
import type { PlayAgentBody } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { CONFIG_SCHEMA_VERSION } from '../agents/config-schema-version.ts'
import { findAgent } from '../agents/find-agent.ts'
import type { ToolSourceCheck } from '../agents/source-check.ts'
import { runRequest } from '../runs/run-call.ts'
import { findVersion } from '../versions/read-versions.ts'
import { usableAgentDraft } from './agent-draft.ts'
import { keepDraft } from './keep-draft.ts'
import { requireOneSource } from './require-one-source.ts'

/** Dependencies of the playground of agents. */
export interface PlayAgentParts {
  database: Pick<Database, 'read' | 'versions' | 'drafts'>
  toolSources: ToolSourceCheck
  newId: () => AnyId
  clock: Clock
}

/**
 * The run of an agent in the playground: its current version, the named one, or a draft, which is stored first.
 *
 * @throws DomainError `agent_not_found`, `version_not_found`, or as saving the draft
 */
export async function agentPlayRequest(
  parts: PlayAgentParts,
  caller: BuilderCaller,
  agentId: string,
  { versionId, draft, ...body }: PlayAgentBody,
): Promise<RunRequest> {
  requireOneSource({ versionId, draft })
  const { read } = parts.database
  const agent = await findAgent((organizationId, id) => read.agents.byId(organizationId, id), caller, agentId)
  const owner = { kind: 'agent', organizationId: caller.organizationId, id: agent.id } as const
  const version = async () => {
    if (versionId !== undefined) return (await findVersion(parts, owner, versionId)).id
    if (draft === undefined) return agent.versionId
    const content = await usableAgentDraft(parts, caller, agent, draft)
    return keepDraft(parts, caller, owner, { content, configSchemaVersion: CONFIG_SCHEMA_VERSION })
  }
  const call = {
    principal: { organizationId: caller.organizationId, projectId: null, keyId: null },
    kind: 'agent',
    entityId: agent.id,
    acceptedAt: parts.clock.now(),
    path: '',
    idempotencyKey: null,
  } as const
  return {
    ...runRequest(call, body, 'playground'),
    startedByUserId: caller.userId,
    versionId: asId(await version()),
  }
}
