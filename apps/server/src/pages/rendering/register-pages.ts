import type { App } from '../../http/server-types.ts'
import { respondErrorPage } from './error-page.ts'
import { acceptFormBodies } from './form-body.ts'

/** A scope for the routes of pages: they take submitted forms instead of JSON, and their errors are pages. */
export function registerPages(app: App, register: (scope: App) => void): void {
  app.register(async (scope) => {
    acceptFormBodies(scope)
    scope.setErrorHandler(respondErrorPage)
    register(scope)
  })
}
