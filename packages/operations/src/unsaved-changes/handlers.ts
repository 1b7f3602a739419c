import {
  type BodyOf,
  checkedId,
  DomainError,
  type FieldError,
  invalidRequest,
  isJsonObject,
  type JsonObject,
  jsonBytes,
  type ParamsOf,
  parseId,
  propertyOf,
  type ResultOf,
  roleHas,
  UnsavedChangesId,
  UserId,
} from '@troupe/contract'
import {
  BUILDER_OPERATIONS,
  UNSAVED_KINDS,
  type UnsavedChanges,
  type UnsavedKind,
} from '@troupe/contract/builder'
import type { Database, Readers, UnsavedPlace, UnsavedRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { findKnowledgeBase } from '../knowledge/find-knowledge-base.ts'
import { findLlmConfiguration } from '../llm-configurations/change-llm-configuration.ts'
import { findMcpServer } from '../mcp-servers/find-mcp-server.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { findSkill } from '../skills/find-skill.ts'
import { findVoiceConfiguration } from '../voice-configurations/find-voice-configuration.ts'

const MB = 1024 * 1024
/** An edit contains its content before and after. */
const MOST_BYTES = { ofOne: 2 * MB, ofPerson: 32 * MB }
const FOREIGN_KEY_VIOLATION = '23503'

const op = BUILDER_OPERATIONS
type Thing = ParamsOf<(typeof op)['getUnsavedChanges']>

interface UnsavedParts {
  database: Pick<Database, 'read' | 'transaction'>
}

/** Reads a resource that the caller may change. Throws DomainError of its kind if there is none. */
type FindThing = (read: Readers, caller: BuilderCaller, id: string) => Promise<{ id: string }>

const FIND: Readonly<Record<UnsavedKind, FindThing>> = {
  agent: (read, caller, id) => findRunnable('agent', read.agents.byId, caller, id),
  team: (read, caller, id) => findRunnable('team', read.teams.byId, caller, id),
  knowledge_base: ({ knowledge }, caller, id) =>
    findKnowledgeBase((owner, baseId) => knowledge.base(owner, baseId), caller, id),
  skill: ({ skills }, caller, id) => findSkill((owner, skillId) => skills.byId(owner, skillId), caller, id),
  voice_configuration: (read, caller, id) => findVoiceConfiguration(read, caller.organizationId, id),
  llm_configuration: (read, caller, id) => findLlmConfiguration(read, caller.organizationId, id),
  mcp_server: (read, caller, id) => findMcpServer(read, caller.organizationId, id),
}

/** Handlers of unsaved changes. */
export function unsavedChangesHandlers({ database }: UnsavedParts): BuilderHandler[] {
  const { read } = database
  const find = async (caller: BuilderCaller, { kind, thingId }: Thing) => {
    const { organizationId, role } = caller
    if (!Object.hasOwn(UNSAVED_KINDS, kind)) {
      throw invalidRequest([
        { path: 'kind', message: `must be one of: ${Object.keys(UNSAVED_KINDS).join(', ')}` },
      ])
    }
    const needed = UNSAVED_KINDS[kind]
    if (!roleHas(role, needed)) {
      throw new DomainError(
        'forbidden',
        `These unsaved changes need the permission "${needed}", which the role ${role} lacks.`,
      )
    }
    const { id } = await FIND[kind](read, caller, thingId.toLowerCase())
    return { organizationId, kind, thingId: id }
  }
  return [
    handler(op.getUnsavedChanges, async ({ caller, params }) => {
      const thing = await find(caller, params)
      const { userId } = caller
      // The operator is not a person and has none.
      if (userId === null) return { own: null, others: [] }
      const place = { ...thing, userId }
      const [own, others] = await Promise.all([
        read.unsavedChanges.find(place),
        read.unsavedChanges.others(place),
      ])
      return {
        own: own && presentUnsaved(own),
        others: others.map(({ savedAt, ...one }) => ({ ...one, savedAt: savedAt.toISOString() })),
      }
    }),
    handler(op.getPersonsUnsavedChanges, async ({ caller, params }) => {
      const thing = await find(caller, params)
      const userId = parseId(UserId, params.userId)
      // No person has a malformed id.
      if (userId === null) return { changes: null }
      // Only active members, as in the list of colleagues.
      const [member, found] = await Promise.all([
        read.members.byId(caller.organizationId, userId),
        read.unsavedChanges.find({ ...thing, userId }),
      ])
      return { changes: member?.status === 'active' && found?.edit ? presentUnsaved(found) : null }
    }),
    handler(
      op.keepUnsavedChanges,
      async ({ caller, params, body }) => {
        const { userId } = caller
        const thing = await find(caller, params)
        if (userId === null) {
          throw new DomainError('validation_error', 'Only a signed-in member has unsaved changes.')
        }
        // Since the request was admitted, the resource was deleted or the member removed.
        const onGone = async () => {
          await find(caller, params)
          throw new DomainError('organization_not_found', 'Organization not found.')
        }
        return keepUnsavedChanges({ database, onGone }, { ...thing, userId }, body)
      },
      { maxBodyBytes: MOST_BYTES.ofOne + MB },
    ),
  ]
}

/** @throws DomainError `validation_error`, `draft_conflict`, and those of `onGone` */
async function keepUnsavedChanges(
  { database, onGone }: UnsavedParts & { onGone(): Promise<never> },
  place: UnsavedPlace,
  { changeId, replaces, isOwnReplaced = false, edit }: BodyOf<(typeof op)['keepUnsavedChanges']>,
): Promise<ResultOf<(typeof op)['keepUnsavedChanges']>> {
  const faults = edit === null ? [] : contentFaults(place.kind, edit)
  if (faults.length > 0) throw invalidRequest(faults)
  const bytes = edit === null ? 0 : jsonBytes(edit)
  if (bytes > MOST_BYTES.ofOne) throw tooLarge('has more than 2 MB')
  const write = {
    ...place,
    changeId: checkedId(UnsavedChangesId, changeId),
    replaces: replaces === null ? null : checkedId(UnsavedChangesId, replaces),
    isOwnReplaced,
    edit,
    bytes,
    mostBytes: MOST_BYTES.ofPerson,
  }
  const stored = await database
    .transaction((tx) => tx.write.unsavedChanges.put(write))
    .catch(async (error: unknown) => {
      if (propertyOf(error, 'code') === FOREIGN_KEY_VIOLATION) return onGone()
      throw error
    })
  if (stored === 'full') {
    throw tooLarge('exceeds the 32 MB of unsaved changes of one person: save or discard others')
  }
  if (stored === 'conflict') {
    throw new DomainError('draft_conflict', 'Other unsaved changes have been stored since these were read.')
  }
  return { changeId: write.changeId, savedAt: stored.toISOString() }
}

/** The editors of these kinds show name, description and configuration, also to colleagues. */
const WITH_NAMES: readonly UnsavedKind[] = ['agent', 'team', 'voice_configuration']

function contentFaults(kind: UnsavedKind, edit: { mine: JsonObject; from: JsonObject }): FieldError[] {
  if (!WITH_NAMES.includes(kind)) return []
  return (['mine', 'from'] as const).flatMap((side) => {
    const { name, description = null, config } = edit[side]
    return [
      ...(typeof name === 'string' ? [] : [{ path: `edit.${side}.name`, message: 'must be a text' }]),
      ...(description === null || typeof description === 'string'
        ? []
        : [{ path: `edit.${side}.description`, message: 'must be a text or null' }]),
      ...(isJsonObject(config) ? [] : [{ path: `edit.${side}.config`, message: 'must be an object' }]),
    ]
  })
}

const tooLarge = (message: string) => invalidRequest([{ path: 'edit', message }])

function presentUnsaved({ changeId, builtOn, edit, savedAt }: UnsavedRecord): UnsavedChanges {
  // Validated against its schema when it was stored.
  return {
    ...{ changeId, builtOn: [...builtOn] },
    ...{ edit: edit as UnsavedChanges['edit'], savedAt: savedAt.toISOString() },
  }
}
