import { defineOperation, type Operation } from '../operation/operation.ts'
import { OpenObject } from '../schema/objects.ts'
import { FormParams, ReceivedSubmission } from './form.ts'

const submission = {
  method: 'POST',
  tag: 'Forms',
  description:
    'The body has a value for each field, keyed by the name of the field, and is bound to `trigger.body`. A file field ' +
    'takes the `fileId` of an upload, or a list of them if it allows several files; each upload can be submitted once. ' +
    '`issues` lists every invalid field. The response reveals nothing about the run.',
  access: 'trigger',
  params: FormParams,
  body: OpenObject(),
  success: { status: 202, description: 'The submission is stored.', body: ReceivedSubmission },
  errors: [
    'validation_error',
    'empty_graph',
    'unauthorized',
    'forbidden',
    'form_not_found',
    'concurrency_limit_reached',
    'execution_create_failed',
  ],
} as const satisfies Partial<Operation>

export const submitFormOperation = defineOperation({
  id: 'submitForm',
  path: '/api/v1/forms/{formToken}/submit',
  summary: 'Submit a form',
  ...submission,
})

export const submitFormShortlyOperation = defineOperation({
  id: 'submitFormShortly',
  path: '/api/v1/forms/{formToken}',
  summary: 'Submit a form, by its shorter address',
  ...submission,
})
