import { file, json, type SiteRoute } from './site-route.ts'

/** The operations surface; with `TROUPE_ADMIN_PORT` it is on that port. */
export const MONITORING_ROUTES: readonly SiteRoute[] = [
  {
    id: 'getLiveness',
    method: 'get',
    path: '/healthz',
    tag: 'Monitoring',
    summary: 'Check that the process is alive',
    isData: true,
    responses: { 200: json('The process answers.', { status: { const: 'ok' } }) },
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Monitoring',
    summary: 'Check whether the process accepts work',
    isData: true,
    responses: {
      200: json('It does.', { status: { const: 'ready' } }),
      503: json('The process does not accept work.', {
        status: { const: 'unavailable' },
        missing: { type: 'array', items: { type: 'string' }, description: 'The missing parts.' },
      }),
    },
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Monitoring',
    summary: 'Read the metrics of the process',
    isData: true,
    responses: {
      200: file('Prometheus text format.', 'text/plain'),
      401: file('The metrics need a token here, and there is none.', 'application/json'),
    },
  },
]
