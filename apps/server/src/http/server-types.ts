import type { Operation } from '@troupe/contract'
import type { Principal } from '@troupe/operations/access/principal'
import type { FastifyInstance } from 'fastify'
import type { SignedInPerson } from '../people/people.ts'

/**
 * Who may call a route: operations say it in the contract, pages for people who are signed in say `person`, everything
 * else is open.
 */
export type RouteAccess = Operation['access'] | 'person' | 'open'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key behind the request; null on routes that need none. */
    principal: Principal | null
    /** Who is signed in; null on all routes but those for people. */
    person: SignedInPerson | null
  }
  interface FastifyContextConfig {
    /** `open` when absent. */
    access?: RouteAccess
    /** The operation that the route serves; absent for pages and for wrong methods. */
    operation?: Operation
    /** What a route that serves no operation takes instead of JSON. */
    bodyType?: string
    /** True for the routes that answer 405 and OPTIONS. */
    wrongMethod?: boolean
  }
}

/** The HTTP server as routes see it. */
export type App = FastifyInstance
