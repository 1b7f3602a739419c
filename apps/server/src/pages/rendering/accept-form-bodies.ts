import { requirePlainUtf8 } from '@troupe/contract'
import { asError } from '@troupe/http/respond-error'
import type { App } from '@troupe/http/server-types'
import { parseFormBody } from '@troupe/server-html/rendering/form-body'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Makes the routes of a scope accept only submitted forms. The size limit is the route's, 1 MB. */
export function acceptFormBodies(scope: App): void {
  scope.removeAllContentTypeParsers()
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, bodyType: FORM_TYPE }
  })
  scope.addContentTypeParser<Buffer>(FORM_TYPE, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      requirePlainUtf8(request.headers)
      done(null, parseFormBody(bytes))
    } catch (error) {
      done(asError(error))
    }
  })
}
