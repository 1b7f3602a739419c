import { html, type Markup } from '@troupe/html'
import { HOME_PATH } from '../paths/next-path.ts'
import { readAsset } from '../rendering/asset.ts'
import { BRAND } from './form-parts.ts'

/** Beside the style sheet of every page: the sizes and colors of the builder. */
export const PERSON_STYLE = readAsset(new URL('./person.css', import.meta.url), 'css')

/** Above a page of somebody who is signed in. `hasBuilder`: whether there is an organization that they can open. */
export function personHeader(hasBuilder: boolean): Markup {
  if (!hasBuilder) return BRAND
  return html`${BRAND}<a href="${HOME_PATH}">Back to the builder</a>`
}
