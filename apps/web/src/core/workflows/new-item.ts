import { isJsonObject } from '@troupe/contract'
import { propertiesOf } from './node-schema.ts'

/**
 * A new item of a list in a config: with the first choice where one has to be made, such as the type of a form's question. Everything
 * else is empty, or the default of its schema, which is not stored.
 *
 * @param schema of one item
 */
export function newItem(schema: object): Record<string, unknown> {
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return Object.fromEntries(
    propertiesOf(schema, {}).flatMap(([name, own]): [string, unknown][] => {
      const [first] = Array.isArray(own.enum) ? own.enum : []
      const isOpen = first !== undefined && own.default === undefined && required.includes(name)
      return isOpen ? [[name, first]] : []
    }),
  )
}
