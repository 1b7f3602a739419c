import type { JsonObject } from '@troupe/contract'
import { pathParameter } from '@troupe/http/operation-call'
import type { App } from '@troupe/http/server-types'
import { findPasswordReset, resetPassword } from '@troupe/operations/passwords/reset-password'
import { visitorOf } from '@troupe/rate-limits'
import { RESET_PATH, SIGN_IN_PATH } from '@troupe/server-html/paths/next-path'
import { newPasswordPage } from '@troupe/server-html/people/new-password-page'
import { passwordFaults } from '@troupe/server-html/people/password-faults'
import { resetRequestedPage, resetRequestPage } from '@troupe/server-html/people/reset-request-page'
import { fieldText } from '@troupe/server-html/rendering/form-body'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'
import { sendPage } from '../rendering/send-page.ts'
import { FORM_BYTES, formOf } from './form-request.ts'

/** Pages that request a password reset and set the new password, for signed-out users. */
export function registerPasswordResets(
  scope: App,
  {
    people,
    passwords,
    passwordResets,
    guard,
    database,
    clock,
  }: Pick<Context, 'people' | 'passwords' | 'passwordResets' | 'guard' | 'database' | 'clock'>,
): void {
  const { areMailed } = passwordResets
  scope.get<{ Querystring: JsonObject }>(RESET_PATH, async ({ query }, reply) =>
    sendPage(
      reply,
      areMailed && query.link === 'sent' ? resetRequestedPage() : resetRequestPage({ areMailed }),
    ),
  )
  scope.post(RESET_PATH, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    await passwordResets.request(request, fieldText(formOf(request), 'email').trim())
    return reply.redirect(areMailed ? `${RESET_PATH}?link=sent` : RESET_PATH, 303)
  })

  const now = () => clock.now()
  const viewOf = async (request: FastifyRequest) => {
    const token = pathParameter(request, 'token')
    await guard.admit('accountLink', visitorOf(request, token))
    const { email } = await findPasswordReset({ read: database.read, now }, token)
    return { token, view: { path: `${RESET_PATH}/${token}`, email } }
  }
  // A GET never uses the link up: mail scanners open it.
  scope.get(`${RESET_PATH}/:token`, async (request, reply) =>
    sendPage(reply, newPasswordPage((await viewOf(request)).view)),
  )
  scope.post(`${RESET_PATH}/:token`, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    const { token, view } = await viewOf(request)
    const password = fieldText(formOf(request), 'password')
    const faults = passwordFaults('password', password)
    if (faults.length > 0) return sendPage(reply, newPasswordPage({ ...view, faults }), 400)
    const passwordHash = await passwords.hash(password)
    const from = { ip: request.ip, requestId: request.id }
    await resetPassword({ database, now }, token, passwordHash, from)
    return reply.redirect(`${SIGN_IN_PATH}?password=reset`, 303)
  })
}
