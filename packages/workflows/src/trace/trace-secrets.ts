import type { CompiledGraph } from '@troupe/graph'

/** A shorter value would be found in every other word. */
const MIN_VALUE = 4

/** What a graph and a payload say of the secrets of a run. */
export interface TraceSecrets {
  /** Names of the password fields of its form. */
  names: ReadonlySet<string>
  /** What was filled into them. */
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

/** The secrets of a run that was started with `input`: a form's values, or a body or an API's input that stands for them. */
export function traceSecretsOf(graph: Pick<CompiledGraph, 'nodes'> | null, input: unknown): TraceSecrets {
  const names = graph ? passwordFields(graph) : new Set<string>()
  const payloads = isObject(input) ? [input, input.body].filter(isObject) : []
  const values = payloads
    .flatMap((payload) => [...names].map((name) => payload[name]))
    .filter((value): value is string => typeof value === 'string' && value.length >= MIN_VALUE)
  return { names, values: [...new Set(values)].toSorted((a, b) => b.length - a.length) }
}
