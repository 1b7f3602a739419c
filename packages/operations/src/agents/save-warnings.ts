import { type AgentConfig, type FieldError, fieldPath, MAX_SAVE_WARNINGS } from '@troupe/contract'
import { repairedSchema, type SchemaUse } from '@troupe/json-schema'

function schemaWarnings(schema: unknown, path: string, use: SchemaUse): FieldError[] {
  if (schema === undefined || schema === null) return []
  const repaired = repairedSchema(schema, use)
  const told = repaired.ok
    ? repaired.repairs
    : [{ path: '', message: `${repaired.problem}, so the tool is omitted` }]
  return told.map((one) => ({
    path: one.path === '' ? path : fieldPath(path, one.path),
    message: one.message,
  }))
}

/**
 * Warnings about settings that are saved but have another effect than they suggest; `ofSources` are those of scripts
 * and documents.
 */
export function saveWarnings(
  { tools, execution }: AgentConfig,
  ofSources: readonly FieldError[],
): FieldError[] {
  const ofTools = tools.flatMap((tool, index) =>
    'input_schema' in tool
      ? schemaWarnings(tool.input_schema, `config.tools.${index}.input_schema`, 'arguments')
      : [],
  )
  const ofAnswer = schemaWarnings(execution.output.schema, 'config.execution.output.schema', 'answer')
  return [...ofSources, ...ofTools, ...ofAnswer].slice(0, MAX_SAVE_WARNINGS)
}

/** The response to a save with its warnings. */
export function withWarnings<T extends object>(
  saved: T,
  warnings: readonly FieldError[] | undefined,
): T & { warnings?: FieldError[] } {
  return warnings === undefined || warnings.length === 0 ? saved : { ...saved, warnings: [...warnings] }
}
