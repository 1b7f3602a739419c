import type { App } from '../http/server-types.ts'
import { FORM_SCRIPT } from './forms/form-states.ts'
import { type Asset, registerAssets } from './rendering/asset.ts'
import { PAGE_STYLE } from './rendering/html-page.ts'
import { REVIEW_STYLE } from './reviews/review-page.ts'

/** Every style sheet and script of every page. */
const ASSETS: readonly Asset[] = [PAGE_STYLE, FORM_SCRIPT, REVIEW_STYLE]

/** Serves the style sheets and scripts of all pages. Call once per server. */
export function registerPageAssets(app: App): void {
  registerAssets(app, ASSETS)
}
