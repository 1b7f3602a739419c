import { defineOperation } from '../../operation/operation.ts'
import { BUILDER_PATH } from '../operation/paths.ts'
import { BuilderSession, SignInBody } from './session.ts'

export const signInToBuilder = defineOperation({
  id: 'signIn',
  method: 'POST',
  path: `${BUILDER_PATH}/session`,
  tag: 'Session',
  summary: 'Sign in inside the page',
  description: 'Sets the session cookie and ends the session that the request came with.',
  access: 'visitor',
  body: SignInBody,
  success: { status: 200, description: 'The person and their organizations.', body: BuilderSession },
  errors: ['validation_error', 'wrong_credentials'],
})
