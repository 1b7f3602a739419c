import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { AnyRunnableId, ProjectId, SessionRowId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { ListedRun } from '../runs/listed-run.ts'

/** A conversation with an agent or a team. */
export const ListedSession = Type.Object({
  id: Uuid<SessionRowId>({
    description: 'Unique, unlike `sessionId`, which several agents and teams may have.',
  }),
  sessionId: Type.String(),
  kind: Choice(['agent', 'team']),
  entity: Type.Object({
    id: Uuid(),
    name: Nullable(Type.String({ description: 'null: it is deleted.' })),
  }),
  projectId: Nullable(Uuid<ProjectId>()),
  userId: Type.String(),
  firstMessage: Nullable(
    Type.String({
      description: 'At most 200 characters of its first message; null: texts are not kept, or not shown.',
    }),
  ),
  runs: Type.Integer({ description: 'How many were started in it.' }),
  lastStatus: Nullable(
    Choice(['queued', 'running', 'completed', 'failed', 'timeout', 'cancelled'], {
      description: 'Of its newest run; null: its runs are deleted.',
    }),
  ),
  costUsd: Nullable(Type.Number({ description: 'null: nothing was charged, or it has more than 200 runs.' })),
  createdAt: IsoTimestamp(),
  lastRunAt: IsoTimestamp(),
})
export type ListedSession = Static<typeof ListedSession>

/** A conversation with a page of its turns. */
export const SessionDetail = Type.Object({
  ...ListedSession.properties,
  summary: Nullable(
    Type.Object({
      text: Type.String(),
      coversSeq: Type.Integer({ description: 'The model reads it instead of the turns up to this number.' }),
      createdAt: IsoTimestamp(),
    }),
  ),
  turns: Type.Array(
    Type.Object({
      seq: Type.Integer({ description: 'From 1, in the order of the starts.' }),
      run: ListedRun,
      input: Nullable(Type.String({ description: 'null: texts are not kept.' })),
      content: Nullable(Type.String()),
    }),
    { description: 'Newest first.' },
  ),
  next: Nullable(Type.Integer({ description: 'Sent as `before` for older turns.' })),
})
export type SessionDetail = Static<typeof SessionDetail>

const PATH = `${ORGANIZATION_PATH}/sessions` as const

export const listSessionsForBuilder = defineOperation({
  id: 'listSessions',
  method: 'GET',
  path: PATH,
  tag: 'Sessions',
  summary: 'List conversations',
  description:
    'Newest first. At most 5,000 are examined for one page: with a rare filter a page may be short and still have a `next`.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    entityId: Type.Optional(Uuid<AnyRunnableId>()),
    userId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    sessionId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    projectId: Type.Optional(Type.Union([Uuid<ProjectId>(), Type.Literal('none')])),
    ...keysetQuery,
  }),
  success: { status: 200, description: 'One page of conversations.', body: KeysetPage(ListedSession) },
  errors: ['validation_error'],
})

export const getRunSessionForBuilder = defineOperation({
  id: 'getRunSession',
  method: 'GET',
  path: `${PATH}/{id}`,
  tag: 'Sessions',
  summary: 'Get a conversation with its turns',
  access: 'builder',
  needs: 'read',
  params: Type.Object({ ...organizationParams, id: Uuid<SessionRowId>() }),
  query: Type.Object({
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  success: { status: 200, description: 'The conversation.', body: SessionDetail },
  errors: ['validation_error', 'session_not_found'],
})
