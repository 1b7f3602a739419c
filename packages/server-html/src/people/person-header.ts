import { html, type Markup } from '@troupe/html'
import { PLAIN_INBOX_PATH } from '../paths/builder-paths.ts'
import { ACCOUNT_PATH, HOME_PATH } from '../paths/next-path.ts'
import { mark } from '../rendering/mark.ts'

const NAME = html`<span class="brand">${mark(20)}Troupe</span>`

/** The pages of the bar. */
export type PersonPlace = 'reviews' | 'account'

const PLACES: Record<PersonPlace, { path: string; label: string }> = {
  reviews: { path: PLAIN_INBOX_PATH, label: 'Reviews' },
  account: { path: ACCOUNT_PATH, label: 'Account' },
}

/**
 * The bar above a page of a signed-in person.
 *
 * @param place the page itself; null for one below it
 * @param hasBuilder whether there is an organization that they can open
 */
export function personHeader(place: PersonPlace | null, hasBuilder: boolean): Markup {
  const links = [
    ...(hasBuilder ? [html`<a href="${HOME_PATH}">Back to the builder</a>`] : []),
    ...(['reviews', 'account'] as const).map(
      (one) =>
        html`<a href="${PLACES[one].path}"${one === place ? html` aria-current="page"` : null}>${PLACES[one].label}</a>`,
    ),
  ]
  return html`${NAME}<nav aria-label="Troupe">${links}</nav>`
}

/**
 * The bar above one review or approval; for visitors with a link, who may not know the product, it has no navigation.
 */
export function reviewHeader(isMember: boolean): Markup {
  return isMember ? personHeader(null, true) : NAME
}
