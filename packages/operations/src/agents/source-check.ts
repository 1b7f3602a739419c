import { DomainError, type FieldError, isJsonObject } from '@troupe/contract'

/** The findings of an OpenAPI document. */
export interface DocumentFindings {
  /** Why it has no usable operation, as a sentence; null if it has some. */
  problem: string | null
  /** Operations that cannot be tools, each with an error message. */
  leftOut: readonly { name: string; reason: string }[]
}

/** Checks the texts in configurations of tools without executing them. A check that is impossible now is a BusyError, not a finding. */
export interface ToolSourceCheck {
  /** Why a source is not a valid script, with its line; null if it is. @param owner the organization whose quota it uses */
  scriptProblem(source: string, owner: string): Promise<string | null>
  documentFindings(
    document: string | object,
    operations: readonly string[] | null,
    owner: string,
  ): Promise<DocumentFindings>
  /** Checks the document at an address, which is requested now; never rejects, and ends with the signal. */
  addressFindings(
    given: { address: string; operations: readonly string[] | null; owner: string },
    signal: AbortSignal,
  ): Promise<DocumentFindings>
}

/** Faults of the texts of an agent's tools, and the parts of them that agents do not get; paths below `config`. */
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
        found.warnings.push({ path: at('document'), message: `offers no tool ${name}: ${reason}` })
      }
    }
  }
  return found
}

interface ToolFindings extends Pick<DocumentFindings, 'leftOut'> {
  error: FieldError | null
}

const NOTHING: ToolFindings = { error: null, leftOut: [] }

/** The specification source of a tool whose schema may not have been validated yet. */
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
  const { problem, leftOut } = await check.documentFindings(document, namedIn(operations), owner)
  if (problem === null) return { error: null, leftOut }
  return { error: { path: 'document', message: `cannot be used: ${problem}` }, leftOut: [] }
}

function namedIn(operations: unknown): string[] | null {
  return Array.isArray(operations) ? operations.filter((one) => typeof one === 'string') : null
}

/** Timeout for all addresses together, so that a slow server delays a save no longer. */
const ADDRESSES_MS = 5_000
/** Addresses requested concurrently: each may answer with 16 MB. */
const AT_ONCE = 2
/** Addresses read for one save or one bundle. */
const MAX_ADDRESSES = 20

/** The tools of an agent of an organization, and the path before `config` in messages about them. */
export interface CheckedTools {
  owner: string
  path: string
  tools: unknown
}

/**
 * Warnings for operations in documents at addresses (`spec_url`) that agents do not get. A document that cannot be read
 * now is not a fault, because it may be readable later. Each address is requested once, with few requests at a time.
 */
export async function addressWarnings(
  check: Pick<ToolSourceCheck, 'addressFindings'>,
  agents: readonly CheckedTools[],
): Promise<FieldError[]> {
  const places = agents.flatMap(({ owner, path, tools }) =>
    (Array.isArray(tools) ? tools : []).flatMap((tool: unknown, index) => {
      const { type, document, spec_url: address, operations } = isJsonObject(tool) ? tool : {}
      if (type !== 'openapi' || document !== undefined || typeof address !== 'string') return []
      return [
        { path: `${path}config.tools.${index}.spec_url`, owner, address, operations: namedIn(operations) },
      ]
    }),
  )
  const signal = AbortSignal.timeout(ADDRESSES_MS)
  const keyOf = ({ owner, address, operations }: (typeof places)[number]) =>
    JSON.stringify([owner, address, operations])
  const asked = new Map(places.map((place) => [keyOf(place), place]))
  const found = new Map<string, DocumentFindings>()
  // Both workers share one iterator.
  const rest = [...asked].slice(0, MAX_ADDRESSES).values()
  const readRest = async () => {
    for (const [key, { path: _, ...given }] of rest)
      found.set(key, await check.addressFindings(given, signal))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readRest))
  return places.flatMap((place): FieldError[] => {
    const { path } = place
    const { problem, leftOut } = found.get(keyOf(place)) ?? NOT_READ
    if (problem !== null) return [{ path, message: `offers no tools now: ${problem}` }]
    return leftOut.map(({ name, reason }) => ({ path, message: `offers no tool ${name}: ${reason}` }))
  })
}

const NOT_READ: DocumentFindings = {
  problem: `Only ${MAX_ADDRESSES} addresses are read per save, and it is not one of them.`,
  leftOut: [],
}

/**
 * Warnings for the parts of the tools that agents do not get.
 *
 * @throws DomainError `validation_error` for scripts that do not compile and documents without usable operations;
 * `service_unavailable`
 * if they could not be checked now
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
