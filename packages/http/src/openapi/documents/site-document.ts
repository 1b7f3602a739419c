import { OPERATOR_OPERATIONS } from '@troupe/contract'
import { BUILDER_OPERATIONS, DEPLOYMENT_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'
import { FILE_ROUTES } from '../site/file-routes.ts'
import { FORM_PAGE_ROUTES } from '../site/form-page-routes.ts'
import { MONITORING_ROUTES } from '../site/monitoring-routes.ts'
import { PEOPLE_ROUTES } from '../site/people-routes.ts'
import { REVIEW_PAGE_ROUTES } from '../site/review-page-routes.ts'
import type { OpenApiDocument } from '../writing/document-types.ts'
import { openApiDocument } from './document.ts'

const DESCRIPTION = `What a deployment serves besides the public API: the operator's endpoints, the pages of people, forms and
reviews, monitoring, and files.

Operators send the admin token as \`Authorization: Bearer\`. People sign in on a page, which sets a cookie; every change
needs the \`Origin\` of this server. Pages answer errors as pages, everything else as JSON.`

/** Options of a deployment's site. */
export interface SiteOptions {
  /** Whether monitoring is on this port. */
  hasMonitoring: boolean
  /** Name of the cookie of signed-in users. */
  sessionCookie: string
}

/**
 * The OpenAPI document of every route that is not part of the public API.
 *
 * @param publicUrl of the server, without a trailing slash
 */
export function siteDocument(
  publicUrl: string,
  { hasMonitoring, sessionCookie }: SiteOptions,
): OpenApiDocument {
  return openApiDocument(
    {
      title: 'Troupe site',
      description: DESCRIPTION,
      operations: [
        ...Object.values(OPERATOR_OPERATIONS),
        ...Object.values(DEPLOYMENT_OPERATIONS),
        ...Object.values(PERSON_OPERATIONS),
        ...Object.values(BUILDER_OPERATIONS),
      ],
      routes: [
        ...PEOPLE_ROUTES,
        ...FORM_PAGE_ROUTES,
        ...REVIEW_PAGE_ROUTES,
        ...FILE_ROUTES,
        ...(hasMonitoring ? MONITORING_ROUTES : []),
      ],
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
      },
    },
    publicUrl,
  )
}
