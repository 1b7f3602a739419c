import { type Static, Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { EmailAddress } from './member.ts'

export const CreatePasswordResetLinkBody = Type.Object(
  { email: EmailAddress },
  { examples: [{ email: 'owner@acme.test' }] },
)
export type CreatePasswordResetLinkBody = Static<typeof CreatePasswordResetLinkBody>

export const PasswordResetLink = Type.Object({
  link: Type.String({ description: 'Can be used once. Shown only here.' }),
  expiresAt: Type.String({ format: 'date-time' }),
})
export type PasswordResetLink = Static<typeof PasswordResetLink>

export const createPasswordResetLinkOperation = defineOperation({
  id: 'createPasswordResetLink',
  method: 'POST',
  path: '/api/builder/password-reset-links',
  tag: 'Operator',
  summary: 'Create a link with which a person chooses a new password',
  description: 'For the operator to share. An earlier link of the person becomes invalid.',
  access: 'operator',
  body: CreatePasswordResetLinkBody,
  success: { status: 201, description: 'The link.', body: PasswordResetLink },
  errors: ['validation_error', 'account_not_found'],
})
