import type { Operation } from '@troupe/contract'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import type { Principal } from '@troupe/operations/access/principal'
import type { SignedInPerson } from '@troupe/people/people'
import type { FastifyInstance } from 'fastify'

/**
 * The callers of a route: operations define it in the contract, pages for signed-in users use `person`, all others are
 * open.
 */
export type RouteAccess = Operation['access'] | 'person' | 'open'

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key of the request; null on routes that need none. */
    principal: Principal | null
    /** The signed-in user; null on all routes except those with access `person` or `builder`. */
    person: SignedInPerson | null
    /** The caller of a builder operation; null on routes with another access, and if the path names no organization. */
    builderCaller: BuilderCaller | null
    /** Seconds until the window of the operation's own limit resets; null on operations without one, and before the request is counted. */
    ownWindowSeconds: number | null
    /** The address by which the failures of the caller are counted; null if many visitors share it. It may be forged. */
    readonly countedAddress: string | null
  }
  interface FastifyContextConfig {
    /** `open` when absent. */
    access?: RouteAccess
    /** The operation that the route serves; absent for pages and for wrong methods. */
    operation?: Operation
    /** The body type of a route without an operation, instead of JSON. */
    bodyType?: string
    /** True for the generated 405 and OPTIONS routes. */
    wrongMethod?: boolean
  }
}

/** The HTTP server type used by routes. */
export type App = FastifyInstance
