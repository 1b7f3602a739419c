import type { App } from '@troupe/http/server-types'
import { FORM_SCRIPT } from '@troupe/server-html/forms/form-states'
import type { Asset } from '@troupe/server-html/rendering/asset'
import { PAGE_FONT, PAGE_ICON, PAGE_MONO_FONT, PAGE_STYLE } from '@troupe/server-html/rendering/html-page'
import { REVIEW_STYLE } from '@troupe/server-html/reviews/review-page'
import { VOICE_TRY_STYLE } from '@troupe/server-html/voice/try-page'

const FOREVER = 'public, max-age=31536000, immutable'
/** Every style sheet, script, icon and font of every page. */
const ASSETS: readonly Asset[] = [
  PAGE_FONT,
  PAGE_MONO_FONT,
  PAGE_ICON,
  PAGE_STYLE,
  FORM_SCRIPT,
  REVIEW_STYLE,
  VOICE_TRY_STYLE,
]

/**
 * Serves the icon, font, style sheets and scripts of all pages. Call once per server. During a rolling deployment a page may
 * name the hash of another version: it gets this version's file, marked as not cacheable.
 */
export function registerPageAssets(app: App): void {
  for (const asset of ASSETS) {
    app.get(`/assets/:hash/${asset.name}`, async (request, reply) => {
      const isCurrent = request.url.split('?')[0] === asset.path
      return (
        reply
          .type(asset.type)
          .header('cache-control', isCurrent ? FOREVER : 'no-cache')
          // The font is requested by a style sheet, whose own policy sets the referrer.
          .header('referrer-policy', 'no-referrer')
          .send(asset.content)
      )
    })
  }
}
