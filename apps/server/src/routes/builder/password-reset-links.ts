import { OPERATOR_OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { createPasswordResetLink } from '@troupe/operations/passwords/issue-password-reset'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the route. */
export type ResetLinkContext = Pick<Context, 'database' | 'config' | 'clock'>

export function registerPasswordResetLinks(app: App, { database, config, clock }: ResetLinkContext): void {
  const parts = { database, publicUrl: config.publicUrl, now: () => clock.now() }
  registerOperation(app, OPERATOR_OPERATIONS.createPasswordResetLink, ({ actor, body }) =>
    createPasswordResetLink(parts, actor, body.email),
  )
}
