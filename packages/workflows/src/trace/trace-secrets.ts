import type { CompiledGraph } from '@troupe/graph'

/** For values without known form input. */
export const NO_SECRETS: TraceSecrets = { names: new Set(), values: [] }

/** Shorter values are ignored: they would match inside ordinary words. */
const MIN_VALUE = 4

/** The secrets of a run that its graph and its payload reveal. */
export interface TraceSecrets {
  /** Names of the password fields of its form. */
  names: ReadonlySet<string>
  /** The submitted values of these fields. */
  values: readonly string[]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function passwordFields({ nodes }: Pick<CompiledGraph, 'nodes'>): Set<string> {
  const names = new Set<string>()
  for (const { type, config } of nodes.values()) {
    if (type !== 'form-trigger' || !Array.isArray(config.fields)) continue
    for (const field of config.fields) {
      if (isObject(field) && field.type === 'password' && typeof field.name === 'string')
        names.add(field.name)
    }
  }
  return names
}

/**
 * The secrets of a run started with `input`: a form's values, or the request body or API input in their
 * place. `also`: names of password fields of the runs that the seeds of a test come from.
 */
export function traceSecretsOf(
  graph: Pick<CompiledGraph, 'nodes'> | null,
  input: unknown,
  also: readonly string[] = [],
): TraceSecrets {
  const names = new Set([...(graph ? passwordFields(graph) : []), ...also])
  const payloads = isObject(input) ? [input, input.body].filter(isObject) : []
  const values = payloads
    .flatMap((payload) => [...names].map((name) => payload[name]))
    .filter((value): value is string => typeof value === 'string' && value.length >= MIN_VALUE)
  return { names, values: [...new Set(values)].toSorted((a, b) => b.length - a.length) }
}
