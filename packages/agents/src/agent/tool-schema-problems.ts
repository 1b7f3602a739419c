import type { AgentConfig, FieldError } from '@troupe/contract'
import { schemaProblems } from '@troupe/json-schema'

/** Problems of the `input_schema` of tools, with paths below `config`; empty if there are none. */
export function toolSchemaProblems({ tools }: Pick<AgentConfig, 'tools'>): FieldError[] {
  return tools.flatMap((tool, index) => {
    const path = `config.tools.${index}.input_schema`
    const schema = 'input_schema' in tool ? tool.input_schema : undefined
    if (schema === undefined) return []
    if (schema.type !== 'object') return [{ path: `${path}.type`, message: 'must be object' }]
    return schemaProblems(schema, path)
  })
}
