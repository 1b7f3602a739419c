import { defineOperation } from '../operation/operation.ts'
import { FormDefinition, FormParams } from './form.ts'

export const getFormOperation = defineOperation({
  id: 'getForm',
  method: 'GET',
  path: '/api/v1/forms/{formToken}',
  tag: 'Forms',
  summary: 'Get a form',
  description:
    'What the form asks for. A form that asks for a password takes `Authorization: Basic` or the cookie of a session; ' +
    'one for members takes the cookie of their sign-in. Before that passes, nothing of the form is told.',
  access: 'trigger',
  params: FormParams,
  success: { status: 200, description: 'The form.', body: FormDefinition },
  errors: ['unauthorized', 'forbidden', 'form_not_found'],
})
