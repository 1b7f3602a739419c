import { isAncestor, standpoint } from '../compile/ancestors.ts'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import { closest } from '../interpolation/closest.ts'
import { describeMissingKey, isIndex } from '../interpolation/lookup.ts'
import type { TokenPath } from '../interpolation/token-path.ts'
import { tokenize } from '../interpolation/tokenize.ts'
import { stringsIn } from './strings-in.ts'

/** Under which a form and a webhook bind what was sent. */
const BODY = 'body'

/** A path below what starts a run, which is also the output of the trigger. */
type TriggerPath = TokenPath & { namespace: 'trigger' | 'upstream' }

/** What the steps of a graph do with what starts a run. */
export interface TriggerReads {
  /** The places whose existence a step tests, so that they are expected to be missing at times; as of `placeOf`. */
  tested: ReadonlySet<string>
  /** The names that steps read below the trigger or its body; null when one reads all of them together. */
  names: ReadonlySet<string> | null
}

/** Reads the tokens of all steps. */
export function triggerReads(graph: CompiledGraph): TriggerReads {
  const tested = new Set<string>()
  const names = new Set<string>()
  let readsAll = false
  for (const { path, mayBeMissing } of tokensOf(graph)) {
    if (!isOfTrigger(path, graph)) continue
    if (mayBeMissing) tested.add(placeOf(path.keys))
    const [first, second] = path.keys
    const name = first === BODY ? second : first
    if (name === undefined) readsAll = true
    else names.add(name)
  }
  return { tested, names: readsAll ? null : names }
}

function isOfTrigger(path: TokenPath, graph: CompiledGraph): path is TriggerPath {
  if (path.namespace === 'upstream') return graph.nodes.get(path.nodeId)?.role === 'trigger'
  return path.namespace === 'trigger'
}

function* tokensOf(graph: CompiledGraph) {
  for (const node of graph.nodes.values()) {
    for (const { path, value, mayBeMissing } of node.facts.templates?.(node.config) ?? []) {
      for (const { text } of stringsIn(value, path)) {
        for (const part of tokenize(text)) if (part.kind === 'token') yield { ...part, mayBeMissing }
      }
    }
  }
}

/** Whether the value of a token, or one that it is a part of, is tested for its existence. */
function isTested(keys: readonly string[], tested: ReadonlySet<string>): boolean {
  const depths = [1, 2, 3, keys.length].filter((depth) => depth <= keys.length)
  return tested.size > 0 && depths.some((depth) => tested.has(placeOf(keys.slice(0, depth))))
}

/** A path as a text. It is the same below `trigger` and below the output of a trigger, which are one value. */
function placeOf(keys: readonly string[]): string {
  return JSON.stringify(keys)
}

function missingFromForm(names: readonly string[], [first, second]: readonly string[]): string | null {
  if (first !== BODY) {
    const meant = first !== undefined && names.includes(first) ? `: write trigger.${BODY}.${first}` : ''
    return `the answers of the form are below "${BODY}"${meant}`
  }
  return second === undefined || names.includes(second)
    ? null
    : describeMissingKey(second, names, 'the form', closest(second, names))
}

/**
 * A payload may have more than its declared fields, and lists cannot be declared. So a name is reported only when it resembles a
 * declared one that no step reads, as after that was renamed.
 */
function missingFromHttp(
  names: readonly string[],
  keys: readonly string[],
  { names: read }: TriggerReads,
): string | null {
  const [key, next] = keys[0] === BODY && !names.includes(BODY) ? keys.slice(1) : keys
  if (key === undefined || names.includes(key) || (next !== undefined && isIndex(next))) return null
  const unread = read === null ? [] : names.filter((name) => !read.has(name))
  const meant = closest(key, unread)
  return meant === null
    ? null
    : describeMissingKey(key, names, 'the declared fields of the HTTP Request', meant)
}

/** Why runs that a trigger starts have no value at a path below `trigger`; null when they may have one. */
function missingFrom(
  { facts, config }: FlowNode,
  keys: readonly string[],
  reads: TriggerReads,
): string | null {
  switch (facts.trigger) {
    case 'form':
      return missingFromForm(facts.answers?.(config) ?? [], keys)
    case 'http':
      return missingFromHttp(facts.fields?.(config).map(({ name }) => name) ?? [], keys, reads)
    case 'recurrence':
      return `"${keys.join('.')}" is not in scheduled runs: their trigger is empty`
    default:
      return null
  }
}

/** Why a token of a step finds nothing in the runs of a trigger that leads to the step; null when it may in all of them. */
export function missingFromTrigger(
  path: TokenPath,
  node: FlowNode,
  graph: CompiledGraph,
  reads: TriggerReads,
): string | null {
  if (!isOfTrigger(path, graph) || path.keys.length === 0 || isTested(path.keys, reads.tested)) return null
  if (path.namespace === 'upstream') {
    const trigger = graph.nodes.get(path.nodeId)
    return trigger ? missingFrom(trigger, path.keys, reads) : null
  }
  for (const trigger of graph.triggers) {
    const from = standpoint(trigger, node)
    const missing = from && isAncestor(trigger, from) ? missingFrom(trigger, path.keys, reads) : null
    if (missing !== null) return missing
  }
  return null
}
