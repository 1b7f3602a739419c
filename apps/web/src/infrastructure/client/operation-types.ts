import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'

/** Every operation that the pages may call, by its id. */
export type WebOperations = typeof BUILDER_OPERATIONS & typeof PERSON_OPERATIONS
export type OperationName = keyof WebOperations & string

/** The body of a successful response. */
export type AnswerOf<Name extends OperationName> = WebOperations[Name] extends infer O extends Operation
  ? ResultOf<O>
  : never

type Part<Key extends string, Value> =
  Record<never, never> extends Value ? { [K in Key]?: Value } : { [K in Key]: Value }

type InputFor<O extends Operation> = Part<'params', Omit<ParamsOf<O>, 'organizationId'>> &
  (O extends { query: object } ? Part<'query', QueryOf<O>> : { query?: undefined }) &
  (O extends { body: object }
    ? O extends { bodyOptional: true }
      ? { body?: BodyOf<O> }
      : { body: BodyOf<O> }
    : { body?: undefined })

/** The parameters of a call: path parameters except the organization, query, body. */
export type InputOf<Name extends OperationName> = WebOperations[Name] extends infer O extends Operation
  ? InputFor<O>
  : never

/** An input as read by the transport, for any operation. */
export interface AnyInput {
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}
