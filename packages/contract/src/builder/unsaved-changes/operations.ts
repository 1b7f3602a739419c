import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { UnsavedChangesId, UserId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { UNSAVED_KINDS, type UnsavedKind } from './kinds.ts'

const PATH = `${ORGANIZATION_PATH}/unsaved-changes/{kind}/{thingId}` as const

/** The content of an editor, valid or not; for agents, teams and voices: name, description and configuration. */
const EditedContent = OpenObject({
  description: 'The whole content as the editor has it, without secrets; it may be invalid.',
})

const UnsavedEdit = Type.Object(
  {
    baseVersionId: Type.String({
      maxLength: 64,
      description: 'The version that it was made from; empty for a form without versions.',
    }),
    mine: EditedContent,
    from: EditedContent,
    ids: Type.Optional(
      OpenObject({ description: 'Ids of the items of lists in `mine`, by the path of the list.' }),
    ),
  },
  {
    description:
      '`mine`: the edited content; `from`: the content before the edit. null: discarded, or saved.',
  },
)

const changeId = Uuid<UnsavedChangesId>({ description: 'Of the last write.' })

/** The unsaved changes of one person. */
const UnsavedChanges = Type.Object({
  changeId,
  builtOn: Type.Array(Uuid<UnsavedChangesId>(), {
    description:
      'The `changeId` of earlier writes that these were made from, newest first, at most 100: a browser whose answer was lost finds its write here. Without those that were replaced with `isOwnReplaced`.',
  }),
  edit: Nullable(UnsavedEdit),
  savedAt: IsoTimestamp(),
})
export type UnsavedChanges = Static<typeof UnsavedChanges>

const KeepUnsavedChangesBody = Type.Object({
  changeId: Uuid<UnsavedChangesId>({
    description: 'Of this write. The same one again is answered as before, so a lost answer costs nothing.',
  }),
  replaces: Nullable(
    Uuid<UnsavedChangesId>({ description: 'The `changeId` of the replaced changes; null: none are known.' }),
  ),
  isOwnReplaced: Type.Optional(
    Type.Boolean({
      description: 'Whether the same browser wrote the replaced changes, and knows that they were stored.',
    }),
  ),
  edit: Nullable(UnsavedEdit),
})

const PersonsChanges = Type.Object({
  userId: Uuid<UserId>(),
  name: Type.String(),
  changeId,
  savedAt: IsoTimestamp(),
})
export type PersonsChanges = Static<typeof PersonsChanges>

const NAMES = Object.keys(UNSAVED_KINDS) as UnsavedKind[]
const thing = { ...organizationParams, kind: Choice(NAMES), thingId: Uuid() }
const NOT_FOUND = [
  ...(['agent_not_found', 'team_not_found', 'knowledge_base_not_found', 'skill_not_found'] as const),
  ...(['voice_configuration_not_found', 'llm_configuration_not_found', 'mcp_server_not_found'] as const),
] as const
const common = { tag: 'Unsaved changes', access: 'builder', needs: 'build' } as const

/** Sent with a save: the unsaved changes that it contains. */
export const savedChanges = Type.Optional(
  Type.Object(
    {
      changeId: Uuid<UnsavedChangesId>({ description: 'Of the last write of these unsaved changes.' }),
      settledAs: Uuid<UnsavedChangesId>({ description: 'The new `changeId` of the entry.' }),
    },
    { description: "The caller's unsaved changes that this save contains. Newer ones stay." },
  ),
)

/** Unsaved changes of people. */
export const UNSAVED_CHANGES_OPERATIONS = {
  getUnsavedChanges: defineOperation({
    ...{ id: 'getUnsavedChanges', method: 'GET', path: PATH, ...common },
    summary: 'Get the unsaved changes of the caller, and who else has some',
    description:
      'Each person has one edit of an agent or another resource. Its kind decides the permission: `manage` for voices, LLM configurations and MCP servers. Nothing runs it except the playground, and only a save is audited. An edit that nobody changes for 90 days is deleted. The topic `unsaved:<id>` of the events signals changes.',
    params: Type.Object(thing),
    success: {
      status: 200,
      description: 'The unsaved changes.',
      body: Type.Object({
        own: Nullable(UnsavedChanges),
        others: Type.Array(PersonsChanges, {
          description: 'Members with unsaved changes, newest first, at most 20.',
        }),
      }),
    },
    errors: ['validation_error', ...NOT_FOUND],
  }),
  getPersonsUnsavedChanges: defineOperation({
    ...{ id: 'getPersonsUnsavedChanges', method: 'GET', path: `${PATH}/of/{userId}`, ...common },
    summary: 'Get the unsaved changes of a member',
    params: Type.Object({ ...thing, userId: Uuid<UserId>() }),
    success: {
      status: 200,
      description: 'The unsaved changes.',
      body: Type.Object({ changes: Nullable(UnsavedChanges) }),
    },
    errors: ['validation_error', ...NOT_FOUND],
  }),
  keepUnsavedChanges: defineOperation({
    ...{ id: 'keepUnsavedChanges', method: 'PUT', path: PATH, ...common },
    summary: 'Keep or discard unsaved changes of the caller',
    description:
      'Replaces the edit named by `replaces`. With another one stored, it is a `draft_conflict`: read them and merge. At most 2 MB, and 32 MB of one person in an organization. The operator has no unsaved changes.',
    params: Type.Object(thing),
    body: KeepUnsavedChangesBody,
    success: {
      status: 200,
      description: 'They are stored.',
      body: Type.Object({ changeId: Uuid<UnsavedChangesId>(), savedAt: IsoTimestamp() }),
    },
    errors: ['validation_error', ...NOT_FOUND, 'draft_conflict'],
  }),
} as const
