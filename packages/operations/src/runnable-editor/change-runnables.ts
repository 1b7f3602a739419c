import type { RunnableKind } from '@troupe/agents/ports'
import {
  type AnyVersionId,
  type BodyOf,
  checkedId,
  type FieldError,
  type IdText,
  type NewId,
} from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database, Transaction } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type CreateAgentParts, createAgent } from '../agents/create-agent.ts'
import { withWarnings } from '../agents/save-warnings.ts'
import { updateAgent } from '../agents/update-agent.ts'
import { type Created, createOnce } from '../changes/create-once.ts'
import { settleSaved } from '../changes/settle-saved.ts'
import type { PresentedDetails } from '../runnables/present-runnable.ts'
import { findDetails, getDetails, type RunnableReads } from '../runnables/read-runnables.ts'
import { createTeam } from '../teams/create-team.ts'
import { restoreTeamVersion } from '../teams/restore-team-version.ts'
import { updateTeam } from '../teams/update-team.ts'
import { checkBase } from '../versions/check-base.ts'
import { copyName } from '../versions/copy-name.ts'
import { findVersion, versionOwner } from '../versions/read-versions.ts'

type Operations = typeof BUILDER_OPERATIONS
type Locked = Parameters<ReturnType<typeof checkBase>>[0] & Parameters<typeof settleSaved>[3]
type Check = (before: Locked, tx: Pick<Transaction, 'versions' | 'write'>) => Promise<void>

/** Dependencies of changing agents and teams. */
export type RunnableChanges = RunnableReads &
  CreateAgentParts & { database: Pick<Database, 'overviews' | 'versions' | 'transaction'> }

/** The path of a version. */
export interface VersionPath {
  kind: RunnableKind
  id: string
  versionId: IdText<AnyVersionId>
}

interface Saved {
  id: string
  warnings?: FieldError[] | undefined
}

/**
 * The parts of a save that differ by kind: only agents have tools whose sources are checked, and warnings about them.
 */
interface Saves {
  create(
    parts: RunnableChanges,
    caller: BuilderCaller,
    body: Omit<BodyOf<Operations['createTeam']>, 'id'>,
  ): Promise<Saved>
  update(
    parts: RunnableChanges,
    caller: BuilderCaller,
    id: string,
    body: Omit<BodyOf<Operations['updateTeam']>, 'baseVersionId' | 'replace' | 'savedChanges'>,
    options: { replace: boolean; check: Check },
  ): Promise<Pick<Saved, 'warnings'>>
  restore(
    parts: RunnableChanges,
    caller: BuilderCaller,
    path: Omit<VersionPath, 'kind'>,
    check: Check,
  ): Promise<Pick<Saved, 'warnings'>>
}

const SAVES: Record<RunnableKind, Saves> = {
  agent: {
    async create(parts, caller, body) {
      const { agentId, warnings } = await createAgent(parts, caller, caller.actor, body)
      return { id: agentId, warnings }
    },
    update: (parts, caller, id, body, options) => updateAgent(parts, caller, caller.actor, id, body, options),
    async restore(parts, caller, { id, versionId }, check) {
      const version = await findVersion(parts, versionOwner(caller, 'agent', id), versionId)
      const { name, description, config } = version
      const options = { replace: true, check, action: 'agent.restored' } as const
      return updateAgent(parts, caller, caller.actor, id, { name, description, config }, options)
    },
  },
  team: {
    create: async (parts, caller, body) => ({
      id: (await createTeam(parts, caller, caller.actor, body)).teamId,
    }),
    async update(parts, caller, id, body, options) {
      await updateTeam(parts, caller, caller.actor, id, body, options)
      return {}
    },
    async restore(parts, caller, { id, versionId }, check) {
      await restoreTeamVersion(parts, caller, caller.actor, { teamId: id, versionId }, { check })
      return {}
    },
  },
}

/**
 * Creates an agent as a draft, or a team; a repeated id returns the existing one.
 *
 * @throws DomainError as the public operation, and `id_taken`
 */
export async function createRunnable<K extends RunnableKind>(
  parts: RunnableChanges,
  caller: BuilderCaller,
  kind: K,
  { id, ...body }: Omit<BodyOf<Operations['createTeam']>, 'id'> & { id?: string },
): Promise<Created<PresentedDetails[K]>> {
  // The new agent or team gets the id that the caller gave.
  const newId: NewId = (made) => (id === undefined ? parts.newId(made) : checkedId(made, id))
  return createOnce(
    async () => (id === undefined ? null : findDetails(parts, caller, kind, id)),
    async () => {
      const saved = await SAVES[kind].create({ ...parts, newId }, caller, body)
      return withWarnings(await getDetails(parts, caller, kind, saved.id), saved.warnings)
    },
  )
}

/**
 * Changes an agent or a team if `baseVersionId` is its current version.
 *
 * @throws DomainError as the public operation, and `version_conflict`
 */
export async function changeRunnable<K extends RunnableKind>(
  parts: RunnableChanges,
  caller: BuilderCaller,
  kind: K,
  id: string,
  given: BodyOf<Operations['updateTeam']>,
): Promise<PresentedDetails[K]> {
  const { baseVersionId, replace = false, savedChanges: _ended, ...body } = given
  const checkVersion = checkBase(caller, kind, baseVersionId)
  const check: Check = async (before, tx) => {
    await checkVersion(before, tx)
    await settleSaved(tx, caller, kind, before, given)
  }
  const { warnings } = await SAVES[kind].update(parts, caller, id, body, { replace, check })
  return withWarnings(await getDetails(parts, caller, kind, id), warnings)
}

/**
 * Copies an agent as a draft, or a team, into its own project unless the body names another.
 *
 * @throws DomainError as creating one, and `agent_not_found` or `team_not_found`
 */
export async function duplicateRunnable<K extends RunnableKind>(
  parts: RunnableChanges,
  caller: BuilderCaller,
  kind: K,
  id: string,
  body: BodyOf<Operations['duplicateTeam']>,
): Promise<PresentedDetails[K]> {
  const original = await getDetails(parts, caller, kind, id)
  const { name = copyName(original.name), projectId = original.projectId } = body
  const { description, config } = original
  const copy = await SAVES[kind].create(parts, caller, {
    name,
    description,
    projectId,
    config: { ...config },
  })
  return withWarnings(await getDetails(parts, caller, kind, copy.id), copy.warnings)
}

/**
 * Restores a version's name, description and configuration as a new version.
 *
 * @throws DomainError as changing one, `version_not_found` and `version_conflict`
 */
export async function restoreRunnable<K extends RunnableKind>(
  parts: RunnableChanges,
  caller: BuilderCaller,
  { kind, ...path }: VersionPath & { kind: K },
  { baseVersionId }: BodyOf<Operations['restoreTeamVersion']>,
): Promise<PresentedDetails[K]> {
  const { warnings } = await SAVES[kind].restore(parts, caller, path, checkBase(caller, kind, baseVersionId))
  return withWarnings(await getDetails(parts, caller, kind, path.id), warnings)
}
