import type { RunRequest } from '@troupe/agents'
import type { Clock, RunnableKind } from '@troupe/agents/ports'
import { checkedId, type NewId, RUNNABLE_IDS, TEAM_CONFIG_SCHEMA_VERSION } from '@troupe/contract'
import type { AgentDraft, PlayAgentBody, PlayTeamBody, TeamDraft } from '@troupe/contract/builder'
import type { AgentRecord, Database, TeamRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { CONFIG_SCHEMA_VERSION } from '../agents/config-schema-version.ts'
import type { ToolSourceCheck } from '../agents/source-check.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { findVersion } from '../versions/read-versions.ts'
import { type DraftContent, usableAgentDraft } from './agent-draft.ts'
import { keepDraft } from './keep-draft.ts'
import { playgroundRequest } from './playground-request.ts'
import { requireOneSource } from './require-one-source.ts'
import { usableTeamDraft } from './team-draft.ts'

/** Dependencies of the playground. */
export interface PlaygroundParts {
  database: Pick<Database, 'read' | 'versions' | 'drafts'>
  toolSources: ToolSourceCheck
  newId: NewId
  clock: Clock
}

/** An agent or a team, with the check of its drafts. */
interface Played {
  runnable: AgentRecord | TeamRecord
  usable(draft: AgentDraft | TeamDraft): Promise<DraftContent<object>>
  configSchemaVersion: number
}

async function findPlayed(
  parts: PlaygroundParts,
  caller: BuilderCaller,
  kind: RunnableKind,
  id: string,
): Promise<Played> {
  const { read } = parts.database
  if (kind === 'agent') {
    const agent = await findRunnable(kind, read.agents.byId, caller, id)
    return {
      runnable: agent,
      usable: (draft) => usableAgentDraft(parts, caller, agent, draft),
      configSchemaVersion: CONFIG_SCHEMA_VERSION,
    }
  }
  const team = await findRunnable(kind, read.teams.byId, caller, id)
  return {
    runnable: team,
    usable: (draft) => usableTeamDraft(read, caller, team, draft),
    configSchemaVersion: TEAM_CONFIG_SCHEMA_VERSION,
  }
}

/**
 * The run of an agent or a team in the playground: its current version, the named one, or a draft, which is stored
 * first.
 *
 * @throws DomainError `agent_not_found`, `team_not_found`, `version_not_found`, or as saving the draft
 */
export async function playRequest(
  parts: PlaygroundParts,
  caller: BuilderCaller,
  { kind, id }: { kind: RunnableKind; id: string },
  { versionId, draft, ...body }: PlayAgentBody | PlayTeamBody,
): Promise<RunRequest> {
  requireOneSource({ versionId, draft })
  const { runnable, usable, configSchemaVersion } = await findPlayed(parts, caller, kind, id)
  const owner = { kind, organizationId: caller.organizationId, id: runnable.id }
  const version = async () => {
    if (versionId !== undefined) return (await findVersion(parts, owner, versionId)).id
    if (draft === undefined) return runnable.versionId
    return keepDraft(parts, caller, owner, { content: await usable(draft), configSchemaVersion })
  }
  return {
    ...playgroundRequest(parts.clock, caller, owner, body),
    startedByUserId: caller.userId,
    versionId: checkedId(RUNNABLE_IDS[kind].version, await version()),
  }
}
