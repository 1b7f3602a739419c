import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const path = `${WORKFLOW_PATH}/form` as const
const common = { tag: 'Triggers', access: 'builder', params: WorkflowPathParams } as const

/** The hosted form of a workflow. */
export const HostedForm = Type.Object({
  url: Nullable(Type.String({ description: 'null until a Form Trigger is first published.' })),
  published: Type.Boolean({ description: 'Whether visitors can open it now.' }),
  auth: Nullable(
    Type.Object(
      { mode: Choice(['none', 'basic', 'service-login']), username: Nullable(Type.String()) },
      { description: 'Of the published form.' },
    ),
  ),
  embed: Nullable(
    Type.Object({
      origins: Type.Array(Type.String(), { description: 'The sites that may show the form in a frame.' }),
      html: Type.String(),
    }),
  ),
})
export type HostedForm = Static<typeof HostedForm>

export const getFormForBuilder = defineOperation({
  ...common,
  id: 'getHostedForm',
  method: 'GET',
  path,
  summary: 'Get the form of a workflow',
  needs: 'read',
  success: { status: 200, description: 'The form.', body: HostedForm },
  errors: ['workflow_not_found'],
})

export const rotateFormTokenForBuilder = defineOperation({
  ...common,
  id: 'rotateFormToken',
  method: 'POST',
  path: `${path}/rotate-token`,
  summary: 'Replace the address of the form',
  description: 'The old address returns 404 immediately.',
  needs: 'build',
  success: { status: 200, description: 'The form at its new address.', body: HostedForm },
  errors: ['workflow_not_found', 'workflow_not_published'],
})

export const setFormPasswordForBuilder = defineOperation({
  ...common,
  id: 'setFormPassword',
  method: 'PUT',
  path: `${path}/password`,
  summary: 'Change the password of the form',
  description: 'Signed-in visitors must enter the new one. The user name is part of the graph and is kept.',
  needs: 'build',
  body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 1_000 }) }),
  success: { status: 200, description: 'The form.', body: HostedForm },
  errors: ['validation_error', 'workflow_not_found', 'workflow_not_published'],
})
