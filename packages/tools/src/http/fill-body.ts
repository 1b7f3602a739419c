import { parseTemplate } from '@troupe/contract'
import { type FillValues, fillText, soleValue } from './fill-template.ts'

/**
 * A JSON value with its strings filled. A string that is one placeholder takes the value with its type; without a value
 * its key or item is omitted.
 *
 * @throws Unfillable
 */
export function fillBody(body: unknown, values: FillValues): unknown {
  if (typeof body === 'string') {
    const template = parseTemplate(body) ?? []
    const sole = soleValue(template, values)
    return sole ? sole.value : fillText(template, values, (text) => text)
  }
  if (Array.isArray(body))
    return body.map((item) => fillBody(item, values)).filter((item) => item !== undefined)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, child]) => [key, fillBody(child, values)]))
}
