import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '@troupe/contract'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** A request to an operation of the builder, validated against its contract. */
export interface BuilderCall<O extends Operation> {
  readonly caller: BuilderCaller
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
}

/** The response to a repeated create: the existing resource. */
export class Unchanged<T> {
  readonly body: T

  constructor(body: T) {
    this.body = body
  }
}

/** An operation with its implementation. */
export interface BuilderHandler {
  readonly operation: Operation
  /** 1 MB when absent. */
  readonly maxBodyBytes?: number
  handle(call: BuilderCall<Operation>): Promise<unknown>
}

/** Pairs an operation with its implementation; both sides are checked against the contract. */
export function handler<const O extends Operation>(
  operation: O,
  handle: (call: BuilderCall<O>) => Promise<ResultOf<O> | Unchanged<ResultOf<O>>>,
  options: Pick<BuilderHandler, 'maxBodyBytes'> = {},
): BuilderHandler {
  return { operation, handle, ...options }
}
