import { isJsonObject } from '@troupe/contract'
import { outlineWords } from '../messages/en/workflows/outline.ts'
import { choiceTitle, hasProperties, propertiesOf } from './node-schema.ts'
import { asJson } from './node-settings.ts'

/** A stored value of a setting in the words of its form; null and absent ones are ''. */
export function valueWords(schema: object, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? outlineWords.on : outlineWords.off
  if (typeof value === 'string') return choiceTitle(schema, value) ?? value
  if (isJsonObject(value) && hasProperties(schema)) return linesOf(schema, value).join('\n')
  const items = 'items' in schema && isJsonObject(schema.items) ? schema.items : {}
  if (!Array.isArray(value) || !value.every(isJsonObject) || !hasProperties(items)) return asJson(value)
  return value.map((item) => linesOf(items, item).join('\n')).join('\n\n')
}

function linesOf(schema: object, value: Record<string, unknown>): string[] {
  const known = new Map(propertiesOf(schema, value))
  return Object.entries(value).flatMap(([name, one]) => {
    const own = known.get(name) ?? {}
    const words = valueWords(own, one)
    return words === '' ? [] : [`${typeof own.title === 'string' ? own.title : name}: ${words}`]
  })
}
