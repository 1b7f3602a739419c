import type { ConfigProblem } from '@troupe/graph'
import { schemaProblems } from '@troupe/json-schema'
import { blockingProblem } from './problems.ts'

/** Problems that make the JSON Schema of a config unusable. */
export function outputSchemaProblems({ outputSchema }: Record<string, unknown>): ConfigProblem[] {
  return schemaProblems(outputSchema, 'outputSchema').map(({ path, message }) =>
    blockingProblem(path, message),
  )
}
