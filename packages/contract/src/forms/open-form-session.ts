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
    'Sets a cookie for this form only, valid for 12 hours or until its password changes. After ten wrong passwords ' +
    'from one address within 15 minutes the response is 429.',
  access: 'trigger',
  params: FormParams,
  body: Type.Object({
    username: Type.String({ maxLength: 1_000 }),
    password: Type.String({ maxLength: 1_000 }),
  }),
  success: { status: 204, description: 'The cookie is set.', body: Type.Null() },
  errors: ['validation_error', 'unauthorized', 'form_not_found'],
})
