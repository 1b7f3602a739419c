import { fieldPath } from '@troupe/contract'
import type { ConfigProblem } from '@troupe/graph'
import { repairedSchema, schemaProblems } from '@troupe/json-schema'
import { blockingProblem } from './problems.ts'

/** Problems that make the JSON Schema of a config unusable; else the keywords that are interpreted differently. */
export function outputSchemaProblems({ outputSchema }: Record<string, unknown>): ConfigProblem[] {
  const problems = schemaProblems(outputSchema, 'outputSchema')
  if (problems.length > 0) return problems.map(({ path, message }) => blockingProblem(path, message))
  const repaired = repairedSchema(outputSchema, 'answer')
  const repairs = repaired.ok ? repaired.repairs : []
  return repairs.map(({ path, message }) => {
    const place = fieldPath('outputSchema', path)
    return { severity: 'warning', code: 'repaired_schema', path: place, message }
  })
}
