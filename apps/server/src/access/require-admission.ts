import type { UserId } from '@troupe/contract'
import type { OpenForm } from '@troupe/operations/forms/published-forms'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FormAccess, refusalOf } from './form-access.ts'

/** A scheme unknown to browsers, which would otherwise open their own sign-in dialog. */
export const FORM_SCHEME = 'FormBasic'

/**
 * The signed-in member that is admitted to a form; null on forms without sign-in.
 *
 * @throws DomainError when the visitor is not admitted; RateLimitedError
 */
export async function requireAdmission(
  access: FormAccess,
  form: OpenForm,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UserId | null> {
  const admission = await access.admit(form, request)
  if (admission.kind === 'admitted') return admission.userId
  if (admission.kind === 'password_required') reply.header('www-authenticate', FORM_SCHEME)
  throw refusalOf(admission)
}
