import type { App } from '@troupe/http/server-types'
import { acceptFormBodies } from './accept-form-bodies.ts'
import { respondErrorPage } from './error-page.ts'

/**
 * A Fastify scope for pages: routes accept submitted forms instead of JSON, and errors are rendered as pages.
 */
export function registerPages(app: App, register: (scope: App) => void): void {
  app.register(async (scope) => {
    acceptFormBodies(scope)
    scope.setErrorHandler(respondErrorPage)
    register(scope)
  })
}
