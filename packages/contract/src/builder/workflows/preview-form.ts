import { type Static, Type } from 'typebox'
import { FieldError } from '../../errors/error-body.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject, StringMap } from '../../schema/objects.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const FormPreview = Type.Object({
  page: Nullable(
    Type.Object(
      {
        html: Type.String({
          description: 'The page as visitors see it, without its script, logo and theme.',
        }),
        properties: StringMap({ description: 'The theme: custom properties of the root element.' }),
      },
      { description: 'null: no question can be shown yet.' },
    ),
  ),
  logoUrl: Nullable(Type.String({ description: 'The logo of the page, which is loaded from elsewhere.' })),
  faults: Type.Array(FieldError, {
    description: 'Settings that prevent publishing. The page leaves them out, or shows their defaults.',
  }),
})
export type FormPreview = Static<typeof FormPreview>

export const previewFormForBuilder = defineOperation({
  tag: 'Workflows',
  access: 'builder',
  id: 'previewForm',
  method: 'POST',
  path: `${WORKFLOW_PATH}/form-preview`,
  summary: 'Render the page of a form while it is edited',
  description: 'Nothing is stored, and the page accepts no submission.',
  needs: 'build',
  params: WorkflowPathParams,
  body: Type.Object({
    config: OpenObject({ maxProperties: 1_000, description: 'The settings of a Form Trigger.' }),
  }),
  success: { status: 200, description: 'The page.', body: FormPreview },
  errors: ['validation_error', 'workflow_not_found'],
})
