import { type HttpPlan, isJsonObject } from '@troupe/contract'
import type { BuiltRequest } from '../request/tool-request.ts'
import { fillBody } from './fill-body.ts'
import { FillRoom, type FillValues, fillText, soleValue, Unfillable } from './fill-template.ts'
import { fillUrl, pairsOf } from './fill-url.ts'

/** The properties of a schema that no template contains, and whether other arguments are sent too. */
export interface Unplaced {
  names: ReadonlySet<string>
  /** Whether the schema declares additional properties. */
  open: boolean
}

function headersOf(plan: HttpPlan, values: FillValues): Headers {
  const headers = new Headers()
  for (const { name, value } of plan.headers) {
    const sole = soleValue(value, values)
    if (sole && (sole.value ?? null) === null) continue
    const filled = fillText(value, values, (text, part) => {
      if (/[^\t\x20-\x7e\xa0-\xff]/.test(text)) {
        throw new Unfillable(part, 'has characters that a header cannot carry')
      }
      return text
    })
    headers.set(name, filled)
  }
  return headers
}

/** The arguments that no template contains. */
function remaining(
  { placed }: HttpPlan,
  { names, open }: Unplaced,
  { input }: FillValues,
): [string, unknown][] {
  return Object.entries(input).filter(([name]) => names.has(name) || (open && !placed.has(name)))
}

/** A value placed by a template takes precedence over an argument of the same name. */
function bodyOf(plan: HttpPlan, rest: readonly [string, unknown][], values: FillValues): string | null {
  if (plan.method === 'GET') return null
  if (plan.body === undefined) return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest))
  const filled = fillBody(plan.body, values)
  if (filled === undefined) return null
  return JSON.stringify(isJsonObject(filled) ? { ...Object.fromEntries(rest), ...filled } : filled)
}

/** The request of a call; the model's arguments and the context fill the plan. */
export function buildRequest(
  plan: HttpPlan,
  unplaced: Unplaced,
  given: Omit<FillValues, 'room'>,
): BuiltRequest {
  const values = { ...given, room: new FillRoom() }
  try {
    const rest = remaining(plan, unplaced, values)
    const fixed = new Set(plan.query.map(({ key }) => key))
    const pairs = plan.method === 'GET' ? rest.filter(([name]) => !fixed.has(name)) : []
    const url = fillUrl(
      plan.url,
      plan.query,
      values,
      pairs.flatMap(([name, value]) => pairsOf(name, value)),
    )
    const headers = headersOf(plan, values)
    const body = bodyOf(plan, rest, values)
    if (body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
    if (!headers.has('accept')) headers.set('accept', 'application/json, text/*;q=0.9, */*;q=0.5')
    return { ok: true, request: { method: plan.method, url, headers, body } }
  } catch (error) {
    if (!(error instanceof Unfillable)) throw error
    const code = error.isArgument ? 'invalid_arguments' : 'missing_context'
    return { ok: false, outcome: { ok: false, code, message: `${error.message}.` } }
  }
}
