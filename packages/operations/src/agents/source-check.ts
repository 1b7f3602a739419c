import { DomainError, type FieldError, isJsonObject } from '@troupe/contract'

/** What was found in an OpenAPI document. */
export interface DocumentFindings {
  /** Why it gives no tool, as a sentence; null when it gives some. */
  problem: string | null
  /** Operations that cannot be tools, each with a sentence. */
  leftOut: readonly { name: string; reason: string }[]
}

/** Checks the texts in configurations of tools without executing them. What cannot be checked now is a BusyError, not a finding. */
export interface ToolSourceCheck {
  /** Why a source cannot be a script, with its line; null when it can. @param owner the organization that waits for its turn */
  scriptProblem(source: string, owner: string): Promise<string | null>
  documentFindings(
    document: string | object,
    operations: readonly string[] | null,
    owner: string,
  ): Promise<DocumentFindings>
}

/** What is wrong with the texts among an agent's tools, and what of them agents do not get; paths below `config`. */
export interface SourceFindings {
  errors: FieldError[]
  warnings: FieldError[]
}

export async function sourceFindings(
  check: ToolSourceCheck,
  owner: string,
  tools: unknown,
): Promise<SourceFindings> {
  const found: SourceFindings = { errors: [], warnings: [] }
  if (!Array.isArray(tools)) return found
  for (const [index, tool] of tools.entries()) {
    const { error, leftOut } = isJsonObject(tool) ? await findingsOf(check, owner, tool) : NOTHING
    const at = (path: string) => `config.tools.${index}.${path}`
    if (error !== null) found.errors.push({ ...error, path: at(error.path) })
    else {
      for (const { name, reason } of leftOut) {
        found.warnings.push({ path: at('document'), message: `gives no tool ${name}: ${reason}` })
      }
    }
  }
  return found
}

interface ToolFindings extends Pick<DocumentFindings, 'leftOut'> {
  error: FieldError | null
}

const NOTHING: ToolFindings = { error: null, leftOut: [] }

/** Of a tool whose schema may not have been checked yet. */
async function findingsOf(
  check: ToolSourceCheck,
  owner: string,
  { type, source, document, operations }: Record<string, unknown>,
): Promise<ToolFindings> {
  if (type === 'code' && typeof source === 'string') {
    const message = await check.scriptProblem(source, owner)
    return message === null ? NOTHING : { error: { path: 'source', message }, leftOut: [] }
  }
  if (type !== 'openapi' || (typeof document !== 'string' && !isJsonObject(document))) return NOTHING
  const named = Array.isArray(operations) ? operations.filter((one) => typeof one === 'string') : null
  const { problem, leftOut } = await check.documentFindings(document, named, owner)
  if (problem === null) return { error: null, leftOut }
  return { error: { path: 'document', message: `cannot be used: ${problem}` }, leftOut: [] }
}

/**
 * What of the tools agents do not get, as warnings.
 *
 * @throws DomainError `validation_error` for scripts that do not compile and documents without usable operations; `service_unavailable`
 * when they could not be checked now
 */
export async function requireSources(
  check: ToolSourceCheck,
  owner: string,
  tools: unknown,
): Promise<FieldError[]> {
  const { errors, warnings } = await sourceFindings(check, owner, tools)
  if (errors.length === 0) return warnings
  throw new DomainError(
    'validation_error',
    'The configuration has a script or a document that cannot be used.',
    { errors },
  )
}
