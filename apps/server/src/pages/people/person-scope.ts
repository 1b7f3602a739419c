import { DomainError } from '@troupe/contract'
import type { App } from '../../http/server-types.ts'
import { ACCOUNT_PATH, signInPath } from '../../people/next-path.ts'
import { respondErrorPage } from '../rendering/error-page.ts'
import { registerPages } from '../rendering/register-pages.ts'

/** A scope for pages of people: whoever is not signed in is led to the sign-in page, and from there back. */
export function registerPersonPages(app: App, register: (scope: App) => void): void {
  registerPages(app, (pages) => {
    pages.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        if (!(error instanceof DomainError) || error.code !== 'unauthorized') {
          respondErrorPage(error, request, reply)
          return
        }
        // What was sent is lost, so that the way back leads to a page and not to the same form once more.
        reply.redirect(signInPath(request.method === 'GET' ? request.url : ACCOUNT_PATH), 303)
      })
      register(scope)
    })
  })
}
