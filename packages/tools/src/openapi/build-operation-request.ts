import type { ContextValues } from '../context/context-values.ts'
import { FillRoom, Unfillable } from '../http/fill-template.ts'
import { fillUrl } from '../http/fill-url.ts'
import type { BuiltRequest } from '../request/tool-request.ts'
import type { OperationRequest, ParameterPlan } from './operation-request.ts'
import { WrongBody, writeBody } from './write-body.ts'
import { inQuery, pairsIn, pathText, simpleText } from './write-values.ts'

/** Characters that a header cannot carry. */
const NOT_IN_HEADERS = /[^\t\x20-\x7e\xa0-\xff]/

/** An argument has a value that its place cannot hold. */
class WrongArgument extends Error {
  override readonly name = 'WrongArgument'
}

/** The request of a call of an operation. */
export function buildOperationRequest(
  { method, url, parameters, body }: OperationRequest,
  { input, context }: { input: Readonly<Record<string, unknown>>; context: ContextValues },
): BuiltRequest {
  const given = parameters.flatMap((plan) => {
    const value = Object.hasOwn(input, plan.argument) ? (input[plan.argument] ?? null) : null
    return value === null ? [] : [{ plan, value }]
  })
  const at = (place: ParameterPlan['place']) => given.filter(({ plan }) => plan.place === place)
  const inPath = new Map(at('path').map(({ plan }) => [plan.argument, plan]))
  const pairsAt = (place: 'query' | 'cookie') =>
    at(place).flatMap(({ plan, value }) => pairsIn(plan.name, value, plan.format, inQuery))
  try {
    const filled = fillUrl(url, url.query, { input, context, room: new FillRoom() }, [], {
      writePath: (argument, value) => {
        const plan = inPath.get(argument)
        return plan ? pathText(plan.name, value, plan.format) : inQuery(String(value))
      },
      encodedPairs: pairsAt('query'),
    })
    const headers = headersOf(at('header'))
    const cookies = pairsAt('cookie').map(([name, value]) => `${name}=${value}`)
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
    const written = body && writeBody(body, input)
    if (written) headers.set('content-type', written.mediaType)
    if (!headers.has('accept')) headers.set('accept', 'application/json, text/*;q=0.9, */*;q=0.5')
    return { ok: true, request: { method, url: filled, headers, body: written?.content ?? null } }
  } catch (error) {
    const isOurs = error instanceof WrongArgument || error instanceof WrongBody
    if (!isOurs && !(error instanceof Unfillable)) throw error
    const isArgument = isOurs || error.isArgument
    const code = isArgument ? 'invalid_arguments' : 'missing_context'
    return { ok: false, outcome: { ok: false, code, message: `${error.message}.` } }
  }
}

function headersOf(given: readonly { plan: ParameterPlan; value: unknown }[]): Headers {
  const headers = new Headers()
  for (const { plan, value } of given) {
    const text = simpleText(value, plan.format)
    if (NOT_IN_HEADERS.test(text)) {
      throw new WrongArgument(`${plan.argument} has characters that a header cannot carry`)
    }
    headers.set(plan.name, text)
  }
  return headers
}
