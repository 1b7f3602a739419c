import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import type { Permission } from '../../permissions/permissions.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

/**
 * The kinds of resources that can be moved between projects, with the permission for changing them. API keys and
 * budgets are not moved: they belong to their project. Voices move with their agent, phone numbers with their trunk.
 */
export const MOVABLE_KINDS = {
  agent: 'build',
  team: 'build',
  workflow: 'build',
  knowledge_base: 'build',
  skill: 'build',
  llm_configuration: 'manage',
  credential: 'manage',
  mcp_server: 'manage',
  phone_trunk: 'manage',
} as const satisfies Readonly<Record<string, Permission>>

/** A kind of movable resource. */
export type MovableKind = keyof typeof MOVABLE_KINDS

/** Maximum resources of one move. */
export const MAX_MOVED_THINGS = 100

/** Maximum users of one resource in an answer. */
export const MAX_NAMED_USERS = 20

const kind = Choice(Object.keys(MOVABLE_KINDS) as MovableKind[])
const owner = {
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: the whole organization.' })),
  projectName: Nullable(Type.String()),
}

export const MoveThingsBody = Type.Object(
  {
    projectId: Nullable(
      Uuid<ProjectId>({ description: 'The target project. null: the whole organization.' }),
    ),
    things: Type.Array(Type.Object({ kind, id: Uuid() }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: MAX_MOVED_THINGS,
    }),
    preview: Type.Optional(Type.Boolean({ description: 'true: answers the same, and moves nothing.' })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        projectId: null,
        things: [{ kind: 'agent', id: '0192c0de-0000-7000-8000-000000000001' }],
        preview: true,
      },
    ],
  },
)
export type MoveThingsBody = Static<typeof MoveThingsBody>

/** A resource to move, its previous project, and its users. */
export const MovedThing = Type.Object({
  kind,
  id: Uuid(),
  name: Type.String(),
  ...owner,
  usedBy: Type.Array(
    Type.Object({
      kind: Choice(['agent', 'team', 'workflow', 'knowledge_base', 'mcp_server', 'phone_trunk']),
      id: Uuid(),
      name: Type.String(),
      ...owner,
    }),
    { description: `At most ${MAX_NAMED_USERS}; those that prevent the move first.` },
  ),
  usedByCount: Type.Integer({ minimum: 0 }),
  problems: Type.Array(Type.String(), {
    description: 'The obstacles, as predicates of sentences about the item.',
  }),
})
export type MovedThing = Static<typeof MovedThing>

export const MoveResult = Type.Object({
  isMoved: Type.Boolean({
    description: 'false for a preview, or if any item has problems: then nothing was moved.',
  }),
  things: Type.Array(MovedThing),
  notices: Type.Array(Type.String(), { description: 'Effects on callers and runs after the move.' }),
})
export type MoveResult = Static<typeof MoveResult>

export const moveThingsForBuilder = defineOperation({
  id: 'moveThings',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/project-moves`,
  tag: 'Projects',
  summary: 'Move items to a project',
  description:
    'All of them or none: a resource has problems if it uses, or is used by, a resource of another project. Resources that use each other can be moved together.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(organizationParams),
  body: MoveThingsBody,
  success: {
    status: 200,
    description: 'The moved resources, or the problems that prevent the move.',
    body: MoveResult,
  },
  errors: ['validation_error', 'project_not_found'],
})
