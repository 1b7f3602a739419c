import { isJsonObject } from '@troupe/contract'
import type { SourceEdge } from '../draft/assemble.ts'
import { type Conversion, oneExit, oneStep } from '../draft/conversion.ts'
import { limited } from '../draft/limited.ts'
import { textOf } from '../draft/plain.ts'
import type { DifyScope } from './dify-scope.ts'
import { SOURCE } from './mapping.ts'
import type { DifyNode } from './read-dify.ts'

/** A group of variables of which exactly one is set in a run. */
interface Group {
  /** null for the only group of a plain aggregator. */
  name: string | null
  selectors: string[][]
}

/** Rows of a Variable node. */
const MAX_GROUPS = 100
/** Names of the namespaces that always exist. */
const ALWAYS = new Set(['sys', 'env', 'conversation'])

/** The groups of an aggregator. Source: api/core/workflow/nodes/variable_aggregator/entities.py of github.com/langgenius/dify. */
export function groupsOf({ data }: DifyNode): Group[] {
  const selectors = (list: unknown) =>
    (Array.isArray(list) ? list : []).filter(Array.isArray).map((selector) => selector.map(textOf))
  const settings = isJsonObject(data.advanced_settings) ? data.advanced_settings : {}
  if (settings.group_enabled === true && Array.isArray(settings.groups)) {
    return settings.groups
      .filter(isJsonObject)
      .map((group) => ({ name: textOf(group.group_name ?? ''), selectors: selectors(group.variables) }))
  }
  return [{ name: null, selectors: selectors(data.variables) }]
}

/** The run variable for a group. */
export const aggregated = (node: DifyNode, group: string | null) => `${node.key}.${group ?? 'output'}`

/** A Variable on an edge into an aggregator. */
export interface Added {
  key: string
  /** The edge on which it is placed. */
  edge: SourceEdge
  conversion: Conversion
}

/**
 * Exclusive branches meet in a Variable, because tokens of a skipped step cannot be resolved: each edge into the aggregator gets one that
 * is set to the value of that branch.
 */
export function aggregate(
  node: DifyNode,
  parts: {
    edges: readonly SourceEdge[]
    incoming: ReadonlyMap<string, readonly SourceEdge[]>
    scope: DifyScope
    remarks: string[]
  },
): { conversion: Conversion; added: Added[] } | null {
  const { edges, incoming, scope, remarks } = parts
  const groups = limited(groupsOf(node), MAX_GROUPS, 'groups', remarks)
  if (groups.length === 0 || groups.some(({ name }) => name === '')) return null
  const added = edges.flatMap((edge, index): Added[] => {
    const before = sourcesOf(edge.from, incoming)
    const rows = groups.flatMap((group) => {
      const selector = nearest(group.selectors, before)
      if (!selector) return []
      const name = scope.variable(aggregated(node, group.name))
      return [{ name, op: 'set', value: scope.token(selector, node, remarks), mode: 'expression' }]
    })
    if (rows.length === 0) return []
    const conversion = oneStep({ type: 'variable', config: { rows } }, oneExit(SOURCE))
    return [{ key: `${node.key}#in${index}`, edge, conversion: { ...conversion, addedFor: node.key } }]
  })
  if (added.length < edges.length)
    remarks.push('A branch leads here without one of its variables; a run that takes it fails at this step.')
  const rows = groups.map((group) => ({
    name: group.name ?? 'output',
    value:
      group.name === null
        ? `{{ variables.${scope.variable(aggregated(node, null))} }}`
        : { output: `{{ variables.${scope.variable(aggregated(node, group.name))} }}` },
    mode: 'expression',
  }))
  return {
    conversion: oneStep({ type: 'edit-fields', config: { rows } }, oneExit(SOURCE), { remarks }),
    added,
  }
}

/** The predecessors of a node by distance; 0 is the node itself. */
function sourcesOf(
  from: string,
  incoming: ReadonlyMap<string, readonly SourceEdge[]>,
): ReadonlyMap<string, number> {
  const found = new Map([[from, 0]])
  // A Map that may grow while it is iterated.
  for (const [key, distance] of found) {
    for (const edge of incoming.get(key) ?? []) if (!found.has(edge.from)) found.set(edge.from, distance + 1)
  }
  return found
}

function nearest(selectors: readonly string[][], before: ReadonlyMap<string, number>): string[] | null {
  const reached = selectors
    .flatMap((selector) => {
      const distance = before.get(selector[0] ?? '')
      return distance === undefined ? [] : [{ selector, distance }]
    })
    .sort((a, b) => a.distance - b.distance)
  return reached[0]?.selector ?? selectors.find(([source]) => ALWAYS.has(source ?? '')) ?? null
}
