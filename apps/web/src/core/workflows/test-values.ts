import { isJsonObject, type JsonObject } from '@troupe/contract'
import type { PlanTestBody } from '@troupe/contract/builder'
import { withValueAt } from '@troupe/editor/values/json-path'
import { type Graph, type GraphNode, tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { readTypedJson } from '../forms/typed-json.ts'

type SeedValue = NonNullable<NonNullable<PlanTestBody['seeds']>['values']>[number]

/** A user-entered test value: one part of the result of a step that must not run. */
export interface AskedValue {
  /** Identifies it in the form. */
  key: string
  /** The token that reads it, or the step itself when no token does. */
  label: string
  /** Below the output of the step; empty: the whole output. */
  keys: readonly string[]
}

/** A step with an entered result. */
export interface AskedStep {
  node: GraphNode
  values: readonly AskedValue[]
  /** The branches of a branching step, one of which is selected; empty for any other. */
  ways: readonly string[]
}

/** The texts of a config, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** The tokens by which `readers` read the output of each step: its keys, once each. */
function tokensByStep(readers: readonly GraphNode[]): Map<string, Map<string, AskedValue>> {
  const found = new Map<string, Map<string, AskedValue>>()
  for (const text of readers.flatMap(({ config }) => textsIn(config))) {
    for (const part of tokenize(text)) {
      if (part.kind !== 'token' || part.path.namespace !== 'upstream') continue
      const { nodeId, keys } = part.path
      const values = found.get(nodeId) ?? new Map<string, AskedValue>()
      const key = [nodeId, ...keys].join('.')
      found.set(nodeId, values.set(key, { key, label: part.token, keys }))
    }
  }
  return found
}

/**
 * The values to enter so that a test can skip the steps in `missing`: those that the steps in `executed` read. A step without
 * readers needs no value, only its branch if it has several.
 */
export function askedSteps(
  graph: Graph,
  missing: readonly string[],
  executed: ReadonlySet<string>,
): AskedStep[] {
  const tokens = tokensByStep(graph.nodes.filter(({ id }) => executed.has(id)))
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  return [...new Set(missing)].flatMap((id) => {
    const node = nodes.get(id)
    if (!node) return []
    const type = NODE_TYPES.get(node.type)
    const all = [...(tokens.get(id)?.values() ?? [])]
    // The whole output has all of its parts.
    const whole = all.find(({ keys }) => keys.length === 0)
    const handles = type?.role === 'loop' ? [] : (type?.handles(node.config) ?? [])
    const ways = handles.length > 1 ? handles : []
    // Values that follow from the branch are not required.
    const given = ways[0] === undefined ? {} : (type?.outputOfWay?.(node.config, ways[0]) ?? {})
    const isGiven = (field: string) => Object.hasOwn(given, field)
    const fields = type?.outputsOf?.(node.config) ?? []
    if (ways.length > 0 && fields.length > 0 && fields.every(({ path }) => isGiven(path)))
      return { node, values: [], ways }
    return { node, values: whole ? [whole] : all.filter(({ keys: [field = ''] }) => !isGiven(field)), ways }
  })
}

/** A text as the value that it means: JSON where it is JSON, otherwise the text itself. */
function meaningOf(text: string): unknown {
  const read = readTypedJson(text)
  return read.ok ? read.value : text
}

/** The result of a step from the entered values, with those that follow from its branch. A Loop returns a list. */
function outputOf(
  step: AskedStep,
  typed: Readonly<Record<string, string>>,
  way: string | undefined,
): unknown {
  const output = typedOutput(step, typed)
  const ofWay = way === undefined ? undefined : NODE_TYPES.get(step.node.type)?.outputOfWay
  if (ofWay === undefined || !(output === null || isJsonObject(output))) return output
  return { ...output, ...ofWay(step.node.config, way ?? '') }
}

function typedOutput({ node, values }: AskedStep, typed: Readonly<Record<string, string>>): unknown {
  const isLoop = NODE_TYPES.get(node.type)?.role === 'loop'
  const [only] = values
  if (only?.keys.length === 0) return meaningOf(typed[only.key] ?? '')
  if (values.length === 0) return isLoop ? [] : null
  const output = values.reduce<JsonObject>(
    (built, { key, keys }) => withValueAt(built, keys.join('.'), meaningOf(typed[key] ?? '')),
    {},
  )
  if (!isLoop) return output
  return Object.entries(output)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, value]) => value)
}

/** The keys of values that are not typed yet. An empty text is a value only once it was typed. */
export function untyped(
  steps: readonly AskedStep[],
  typed: Readonly<Record<string, string>>,
  ways: Readonly<Record<string, string>>,
): string[] {
  return steps.flatMap(({ node, values, ways: possible }) => [
    ...values.filter(({ key }) => typed[key] === undefined).map(({ label }) => label),
    ...(possible.length > 0 && ways[node.id] === undefined ? [node.name] : []),
  ])
}

/**
 * The entered values as seeds: of complete required steps, and of branching steps with a selected branch. The latter have no
 * output, so that the server uses the last known one, or requires it.
 */
export function typedSeeds(
  steps: readonly AskedStep[],
  typed: Readonly<Record<string, string>>,
  ways: Readonly<Record<string, string>>,
): SeedValue[] {
  const known = new Set(steps.map(({ node }) => node.id))
  const complete = steps.filter((step) => untyped([step], typed, ways).length === 0)
  const results = complete.map((step): SeedValue => {
    const way = ways[step.node.id]
    return {
      nodeId: step.node.id,
      output: outputOf(step, typed, way),
      ...(way !== undefined && { handles: [way] }),
    }
  })
  const taken = Object.entries(ways).filter(([nodeId]) => !known.has(nodeId))
  return [...results, ...taken.map(([nodeId, way]) => ({ nodeId, handles: [way] }))]
}
