import { defineOperation } from '../operation/operation.ts'
import { FormDefinition, FormParams } from './form.ts'

export const getFormOperation = defineOperation({
  id: 'getForm',
  method: 'GET',
  path: '/api/v1/forms/{formToken}',
  tag: 'Forms',
  summary: 'Get a form',
  description:
    'The fields of the form. A form with a password accepts `Authorization: Basic` or the cookie of a form session; ' +
    'a form for members accepts the cookie of their sign-in. Other callers learn nothing about the form.',
  access: 'trigger',
  params: FormParams,
  success: { status: 200, description: 'The form.', body: FormDefinition },
  errors: ['unauthorized', 'forbidden', 'form_not_found'],
})
