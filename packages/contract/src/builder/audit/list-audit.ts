import { type Static, Type } from 'typebox'
import { AUDITED_KINDS } from '../../audit/audit-actions.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** A change, or the reveal of a secret. */
export const AuditedChange = Type.Object({
  id: Type.String(),
  at: IsoTimestamp(),
  actor: Type.Object({
    kind: Choice(['user', 'api_key', 'operator', 'system']),
    id: Nullable(Type.String()),
    name: Nullable(Type.String({ description: 'Of the person or the key, as it is now.' })),
    ip: Nullable(Type.String()),
  }),
  action: Type.String({ description: '`<noun>.<verb>`: `agent.created`.' }),
  entity: Type.Object({
    kind: Type.String(),
    id: Type.String(),
    name: Nullable(Type.String({ description: 'As it is now, or as it was last written.' })),
  }),
  projectId: Nullable(Type.String()),
  before: Nullable(OpenObject({ description: 'Without secrets.' })),
  after: Nullable(OpenObject({ description: 'Without secrets.' })),
  requestId: Nullable(Type.String()),
})
export type AuditedChange = Static<typeof AuditedChange>

export const listAuditForBuilder = defineOperation({
  id: 'listAudit',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/audit`,
  tag: 'Audit',
  summary: 'List changes with their authors, newest first',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  query: Type.Object({
    ...keysetQuery,
    actorId: text('Changes of this person or key.'),
    entityKind: text(
      `Changes of this kind of item: ${AUDITED_KINDS.map((kind) => `\`${kind}\``).join(', ')}.`,
    ),
    entityId: text('Changes of this item.'),
    projectId: Type.Optional(Uuid<ProjectId>({ description: 'Only changes of items in this project.' })),
    action: text('`agent.created`; `agent.` for every action on agents.'),
    from: Type.Optional(IsoTimestamp({ description: 'Not before.' })),
    to: Type.Optional(IsoTimestamp({ description: 'Before.' })),
  }),
  success: { status: 200, description: 'One page of changes.', body: KeysetPage(AuditedChange) },
  errors: ['validation_error'],
})

export const getAuditedChangeForBuilder = defineOperation({
  id: 'getAuditedChange',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/audit/{changeId}`,
  tag: 'Audit',
  summary: 'Get one change of the audit log',
  access: 'builder',
  needs: 'manage',
  params: Type.Object({ ...organizationParams, changeId: Type.String() }),
  success: { status: 200, description: 'The change.', body: AuditedChange },
  errors: ['audit_entry_not_found'],
})
