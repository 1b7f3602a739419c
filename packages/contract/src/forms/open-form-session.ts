import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { FormParams } from './form.ts'

export const openFormSessionOperation = defineOperation({
  id: 'openFormSession',
  method: 'POST',
  path: '/api/v1/forms/{formToken}/session',
  tag: 'Forms',
  summary: 'Sign in to a form with its password',
  description:
    'Sets a cookie that is good for 12 hours, for this form alone, until its password changes. Ten wrong passwords in ' +
    '15 minutes from one address are answered with 429.',
  access: 'trigger',
  params: FormParams,
  body: Type.Object({
    username: Type.String({ maxLength: 1_000 }),
    password: Type.String({ maxLength: 1_000 }),
  }),
  success: { status: 204, description: 'The cookie is set.', body: Type.Null() },
  errors: ['validation_error', 'unauthorized', 'form_not_found'],
})
