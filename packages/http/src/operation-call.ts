import { type BodyOf, type Operation, type ParamsOf, propertyOf, type QueryOf } from '@troupe/contract'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import type { Principal } from '@troupe/operations/access/principal'
import type { Actor } from '@troupe/storage'
import type { FastifyRequest } from 'fastify'

/** A request whose parts have the types that its operation declares. */
export class OperationCall<O extends Operation> {
  /** For HTTP details only: connection aborts, raw headers. */
  readonly request: FastifyRequest
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>

  constructor(request: FastifyRequest, query: QueryOf<O>, body: BodyOf<O>) {
    this.request = request
    this.query = query
    this.body = body
  }

  get params(): ParamsOf<O> {
    return this.request.params as ParamsOf<O>
  }

  /** The request's headers by lower-case name; the declared ones are validated. */
  get headers(): Readonly<Record<string, string | undefined>> {
    return this.request.headers as Record<string, string | undefined>
  }

  get requestId(): string {
    return this.request.id
  }

  /** @throws Error on operator operations, which have no key */
  get principal(): Principal {
    return principalOf(this.request)
  }

  /** @throws Error on operations without access `builder` */
  get caller(): BuilderCaller {
    const { builderCaller } = this.request
    if (!builderCaller) throw new Error('this route has no caller of the builder')
    return builderCaller
  }

  /** The actor for the audit log. */
  get actor(): Actor {
    const { principal, ip, id } = this.request
    return principal
      ? { kind: 'api_key', id: principal.keyId, ip, requestId: id }
      : { kind: 'operator', id: null, ip, requestId: id }
  }
}

/** @throws Error on routes that need no key */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('this route has no principal')
  return principal
}

/** A path parameter, for hooks and pages, which have no operation to type it. */
export function pathParameter({ params }: Pick<FastifyRequest, 'params'>, name: string): string {
  const value = propertyOf(params, name)
  if (typeof value !== 'string') throw new TypeError(`the route has no parameter ${name}`)
  return value
}
