import { FORM_SCRIPT } from '../forms/pages/form-states.ts'
import type { App } from '../http/server-types.ts'
import { REVIEW_STYLE } from '../reviews/review-page.ts'
import { type Asset, registerAssets } from './asset.ts'
import { respondErrorPage } from './error-page.ts'
import { acceptFormBodies } from './form-body.ts'
import { PAGE_STYLE } from './page.ts'

/** Every asset of every page; a new one is one line here. */
const ASSETS: readonly Asset[] = [PAGE_STYLE, FORM_SCRIPT, REVIEW_STYLE]

/** Serves what all pages share. Once per server. */
export function registerPageAssets(app: App): void {
  registerAssets(app, ASSETS)
}

/** A scope for the routes of pages: they take submitted forms instead of JSON, and their errors are pages. */
export function registerPages(app: App, register: (scope: App) => void): void {
  app.register(async (scope) => {
    acceptFormBodies(scope)
    scope.setErrorHandler(respondErrorPage)
    register(scope)
  })
}
