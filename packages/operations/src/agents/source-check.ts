import { DomainError, type FieldError, isJsonObject } from '@troupe/contract'

/** Checks the texts in configurations of tools without executing them. */
export interface ToolSourceCheck {
  /** Why a source cannot be a script, with its line; null when it can. */
  scriptProblem(source: string): Promise<string | null>
  /** Why the operations of an OpenAPI document cannot be tools, as a sentence; null when they can. */
  documentProblem(document: string | object, operations: readonly string[] | null): Promise<string | null>
}

/** The texts among an agent's tools that cannot be used, with their paths below `config`. */
export async function sourceErrors(check: ToolSourceCheck, tools: unknown): Promise<FieldError[]> {
  const errors: FieldError[] = []
  if (!Array.isArray(tools)) return errors
  for (const [index, tool] of tools.entries()) {
    const error = isJsonObject(tool) ? await sourceError(check, tool) : null
    if (error !== null) errors.push({ ...error, path: `config.tools.${index}.${error.path}` })
  }
  return errors
}

/** Of a tool whose schema may not have been checked yet. */
async function sourceError(
  check: ToolSourceCheck,
  { type, source, document, operations }: Record<string, unknown>,
): Promise<FieldError | null> {
  if (type === 'code' && typeof source === 'string') {
    const message = await check.scriptProblem(source)
    return message === null ? null : { path: 'source', message }
  }
  if (type !== 'openapi' || (typeof document !== 'string' && !isJsonObject(document))) return null
  const named = Array.isArray(operations) ? operations.filter((one) => typeof one === 'string') : null
  const problem = await check.documentProblem(document, named)
  return problem === null ? null : { path: 'document', message: `cannot be used: ${problem}` }
}

/** @throws DomainError `validation_error` for scripts that do not compile and documents without usable operations */
export async function requireSources(check: ToolSourceCheck, tools: unknown): Promise<void> {
  const errors = await sourceErrors(check, tools)
  if (errors.length > 0) {
    throw new DomainError(
      'validation_error',
      'The configuration has a script or a document that cannot be used.',
      {
        errors,
      },
    )
  }
}
