import { DomainError } from '@troupe/contract'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App, RouteAccess } from './server-types.ts'

/** Methods that Fastify must know before a route may use them. */
export const OTHER_METHODS = ['QUERY', 'PURGE'] as const

const METHODS: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
  ...OTHER_METHODS,
]

/** The error for an unknown path; a path with an additional slash is reported as such. */
export function unknownRoute(url: string): DomainError {
  const [path = ''] = url.split('?', 1)
  const hint = path.length > 1 && path.endsWith('/') ? ' Paths do not end with a slash.' : ''
  return new DomainError('not_found', `Route not found.${hint}`)
}

/**
 * The error for a request without a route. Methods such as PROPFIND have no routes at all, because a route for each
 * path would take 6 MB of memory.
 */
export function noSuchRoute({ method, url }: FastifyRequest, reply: FastifyReply): DomainError {
  if (METHODS.includes(method)) return unknownRoute(url)
  reply.header('allow', METHODS.join(', '))
  return new DomainError('method_not_allowed', `${method} is not allowed here; see Allow.`)
}

interface KnownPath {
  methods: Set<string>
  access: RouteAccess
}

/** Collects the paths of every route registered after this call. */
export function collectPaths(app: App): ReadonlyMap<string, KnownPath> {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const known = paths.get(route.url) ?? { methods: new Set(), access: route.config?.access ?? 'open' }
    for (const method of [route.method].flat()) known.methods.add(method.toUpperCase())
    paths.set(route.url, known)
  })
  return paths
}

/**
 * Adds the missing methods to every known path: 405 with `Allow`, and 204 for OPTIONS. As separate routes
 * they pass the usual access checks, rate limits and logs, and respond before a body is read.
 */
export function answerWrongMethods(app: App, paths: ReadonlyMap<string, KnownPath>): void {
  for (const [url, { methods, access }] of [...paths]) {
    const missing = METHODS.filter((method) => !methods.has(method))
    const allow = [...methods, 'OPTIONS'].sort().join(', ')
    app.route({
      method: [...missing],
      url,
      exposeHeadRoute: false,
      config: { access, wrongMethod: true },
      onRequest: (request, reply, done) => {
        reply.header('allow', allow)
        if (request.method === 'OPTIONS') return void reply.code(204).send()
        done(new DomainError('method_not_allowed', `${request.method} is not allowed here; see Allow.`))
      },
      handler: async (_request, reply) => reply.code(204).send(),
    })
  }
}
