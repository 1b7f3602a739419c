import { DomainError } from '@troupe/contract'
import { lingerAfterRefusal } from '@troupe/http/connections/lingering-close'
import type { App } from '@troupe/http/server-types'
import { ACCOUNT_PATH, signInPath } from '@troupe/server-html/paths/next-path'
import { respondErrorPage } from '../rendering/error-page.ts'
import { registerPages } from '../rendering/register-pages.ts'

/** A scope for signed-in users: other visitors are redirected to the sign-in page, and back. */
export function registerPersonPages(app: App, register: (scope: App) => void): void {
  registerPages(app, (pages) => {
    pages.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        if (!(error instanceof DomainError) || error.code !== 'unauthorized') {
          respondErrorPage(error, request, reply)
          return
        }
        lingerAfterRefusal(request, reply)
        // The submitted body is lost, so the redirect target after the sign-in must not be the POST route.
        reply.redirect(signInPath(request.method === 'GET' ? request.url : ACCOUNT_PATH), 303)
      })
      register(scope)
    })
  })
}
