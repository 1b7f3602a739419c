import { propertyOf } from '@troupe/contract'
import type { FastifyRequest } from 'fastify'

/** A parameter of a route's path, for hooks and pages, which have no operation that types it. */
export function pathParameter({ params }: Pick<FastifyRequest, 'params'>, name: string): string {
  const value = propertyOf(params, name)
  if (typeof value !== 'string') throw new TypeError(`the route has no parameter ${name}`)
  return value
}
