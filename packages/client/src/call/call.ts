import { type BodyOf, isJsonObject, type Operation, type QueryOf, type ResultOf } from '@troupe/contract'
import { readJsonAnswer } from './answer.ts'
import type { CallOptions, RunOptions } from './options.ts'
import { pathNames } from './request.ts'
import type { CodeOf, Result } from './result.ts'
import type { Transport } from './transport.ts'
import { optionsAt, typedCall } from './typed-call.ts'

/** The path parameters of an operation as arguments, in path order. */
export type PathArgs<Path extends string> = Path extends `${string}{${string}}${string}{${string}}${string}`
  ? [id: string, innerId: string]
  : Path extends `${string}{${string}}${string}`
    ? [id: string]
    : []

type InputArgs<O extends Operation> = O extends { body: object }
  ? [body: BodyOf<O>]
  : O extends { query: object }
    ? [query?: QueryOf<O>]
    : []

/** The options of a call to this operation: `idempotencyKey` only where the operation supports it. */
export type OptionsOf<O extends Operation> = O extends { headers: object } ? RunOptions : CallOptions

/** An operation as a function: ids, then the body or the query, then options. */
export type Call<O extends Operation> = (
  ...args: [...ids: PathArgs<O['path']>, ...input: InputArgs<O>, options?: OptionsOf<O>]
) => Promise<Result<ResultOf<O>, CodeOf<O>>>

/** The headers for the options of a call. */
export function optionHeaders(options: RunOptions): Record<string, string> {
  return options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }
}

/** Creates the function of an operation from the operation's data. */
export function call<const O extends Operation>(transport: Transport, operation: O): Call<O> {
  const ids = pathNames(operation.path).length
  const takesInput = operation.body !== undefined || operation.query !== undefined
  const run = async (...args: unknown[]): Promise<Result<unknown>> => {
    const input = takesInput ? args[ids] : undefined
    const options = optionsAt<RunOptions>(args, takesInput ? ids + 1 : ids)
    const answered = await transport(
      {
        operation,
        ids: args.slice(0, ids),
        headers: optionHeaders(options),
        ...(operation.body ? { body: input } : { query: isJsonObject(input) ? input : undefined }),
      },
      options,
    )
    return answered.ok ? readJsonAnswer(operation, answered) : answered
  }
  return typedCall<Call<O>>(run)
}
