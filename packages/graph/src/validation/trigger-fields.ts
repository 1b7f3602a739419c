import { shortened } from '@troupe/contract'
import { isAncestor, standpoint } from '../compile/ancestors.ts'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import { charge, type Effort } from '../compile/effort.ts'
import { closest, likenessSteps } from '../interpolation/closest.ts'
import { describeMissingKey, isIndex } from '../interpolation/lookup.ts'
import type { TokenPath } from '../interpolation/token-path.ts'
import { tokenize } from '../interpolation/tokenize.ts'
import { stringsIn } from './strings-in.ts'

/** The key of the payload in the output of a form and a webhook. */
const BODY = 'body'

/** Maximum triggers of a graph to examine, because each token is compared with each of them. */
const MAX_TRIGGERS = 20

/** Enough for hundreds of missing fields of a large form; about ten milliseconds. */
const FULL_LIKENESS = 100_000

/** A path below the start value of a run, which is also the output of the trigger. */
type TriggerPath = TokenPath & { namespace: 'trigger' | 'upstream' }

/** The reads of a run's start value by the steps of a graph. */
export interface TriggerReads {
  /** The places whose existence a step tests, which may therefore be missing; in the form of `placeOf`. */
  tested: ReadonlySet<string>
  /** The places that a step tests for a value, in the same form. */
  testedForValue: ReadonlySet<string>
  /** The steps whose output a step tests for existence, which may therefore be skipped. */
  testedSteps: ReadonlySet<string>
  /** The first token of each kind whose value only one of two kinds of start provides. */
  first: FirstReads
  /** The payload of each trigger. */
  fields: ReadonlyMap<FlowNode, TriggerFields>
  /** The remaining budget of characters for comparing names, and for descriptions that list names. */
  likeness: Effort
}

/** The fields that a form or an HTTP Request declares; none for other triggers. Derived once, because there may be many tokens. */
interface TriggerFields {
  listed: readonly string[]
  names: ReadonlySet<string>
  /** Fields that a run may lack, with the reason in words. */
  optional: ReadonlyMap<string, string>
  /** Fields that no step reads, neither individually nor as a whole. */
  unread: readonly string[]
}

/** A token, and its path below the trigger. */
interface TriggerToken {
  token: string
  keys: readonly string[]
}

/** A token below `body`, where webhooks and forms bind, and one beside it, where calls by the API bind. */
interface FirstReads {
  body: TriggerToken | null
  direct: TriggerToken | null
}

const leftOutOfForm = (name: string, isFile: boolean) =>
  isFile
    ? `"${shortName(name)}" is optional: its text is empty in runs that leave it out. Require it, or check it with "is not empty" first`
    : `"${shortName(name)}" is optional: it is null in runs that leave it out. Require it, or check it with "is not empty" first`
const leftOutOfRequest = (name: string) =>
  `"${shortName(name)}" is optional: runs that leave it out fail here. Require it, or check it with "exists" first`
const shortName = (name: string) => shortened(name, 64)

/** Reads the tokens of all steps. */
export function triggerReads(graph: CompiledGraph): TriggerReads {
  const tested = new Set<string>()
  const testedForValue = new Set<string>()
  const testedSteps = new Set<string>()
  const first: FirstReads = { body: null, direct: null }
  const names = new Set<string>()
  let readsAll = false
  for (const { path, token, mayBeMissing, testsValue } of tokensOf(graph)) {
    if (mayBeMissing && path.namespace === 'upstream') testedSteps.add(path.nodeId)
    if (!isOfTrigger(path, graph)) continue
    if (mayBeMissing) tested.add(placeOf(path.keys))
    if (testsValue) testedForValue.add(placeOf(path.keys))
    const [top, second] = path.keys
    if (top === BODY && !mayBeMissing) first.body ??= { token, keys: path.keys }
    if (top !== undefined && top !== BODY && !mayBeMissing) first.direct ??= { token, keys: path.keys }
    const name = top === BODY ? second : top
    if (name === undefined) readsAll = true
    else names.add(name)
  }
  const fieldsOf = ({ facts, config }: FlowNode): TriggerFields => {
    const answers = facts.answers?.(config) ?? []
    const declared = facts.fields?.(config) ?? []
    const listed = [...answers, ...declared].map(({ name }) => name)
    const optional = new Map([
      ...answers
        .filter(({ required }) => !required)
        .map(({ name, isFile }) => [name, leftOutOfForm(name, isFile)] as const),
      ...declared
        .filter(({ required }) => !required)
        .map(({ name }) => [name, leftOutOfRequest(name)] as const),
    ])
    const unread = readsAll ? [] : listed.filter((name) => !names.has(name))
    return { listed, names: new Set(listed), optional, unread }
  }
  const triggers = graph.triggers.slice(0, MAX_TRIGGERS)
  const fields = new Map(triggers.map((trigger) => [trigger, fieldsOf(trigger)]))
  return { tested, testedForValue, testedSteps, first, fields, likeness: { left: FULL_LIKENESS } }
}

function isOfTrigger(path: TokenPath, graph: CompiledGraph): path is TriggerPath {
  if (path.namespace === 'upstream') return graph.nodes.get(path.nodeId)?.role === 'trigger'
  return path.namespace === 'trigger'
}

function* tokensOf(graph: CompiledGraph) {
  for (const node of graph.nodes.values()) {
    for (const { path, value, mayBeMissing, testsValue } of node.facts.templates?.(node.config) ?? []) {
      for (const { text } of stringsIn(value, path)) {
        for (const part of tokenize(text))
          if (part.kind === 'token') yield { ...part, mayBeMissing, testsValue }
      }
    }
  }
}

/** Whether a step tests the existence of a token's value, or of a value that contains it. */
function isTested(keys: readonly string[], tested: ReadonlySet<string>): boolean {
  const depths = [1, 2, 3, keys.length].filter((depth) => depth <= keys.length)
  return tested.size > 0 && depths.some((depth) => tested.has(placeOf(keys.slice(0, depth))))
}

/** A path as a text. It is the same below `trigger` and below the output of a trigger, which are one value. */
function placeOf(keys: readonly string[]): string {
  return JSON.stringify(keys)
}

/** The name that was probably meant; null if there is none, or if the budget is used up. */
function meantBy(key: string, names: readonly string[], likeness: Effort): string | null {
  return charge(likeness, likenessSteps(key, names)) ? closest(key, names) : null
}

/** Charged by its length, because every such description repeats the same names. */
function described(
  key: string,
  names: readonly string[],
  name: string,
  meant: string | null,
  likeness: Effort,
): string {
  const description = describeMissingKey(key, names, name, meant)
  charge(likeness, description.length)
  return description
}

function missingFromForm(
  { listed, names }: TriggerFields,
  [first, second]: readonly string[],
  likeness: Effort,
): string | null {
  if (first !== BODY) {
    const meant = first !== undefined && names.has(first) ? `: write trigger.${BODY}.${first}` : ''
    return `the answers of the form are below "${BODY}"${meant}`
  }
  if (second === undefined || names.has(second)) return null
  const meant = meantBy(second, listed, likeness)
  return likeness.left > 0
    ? described(second, listed, 'the form', meant, likeness)
    : `"${second}" is not in the form`
}

/**
 * A payload may have more than its declared fields, and lists cannot be declared. So a name is reported only if it
 * resembles a declared, unread one, as after a rename.
 */
function missingFromHttp(
  { listed, names, unread }: TriggerFields,
  keys: readonly string[],
  likeness: Effort,
): string | null {
  const [key, next] = keys[0] === BODY && !names.has(BODY) ? keys.slice(1) : keys
  if (key === undefined || names.has(key) || (next !== undefined && isIndex(next))) return null
  const meant = meantBy(key, unread, likeness)
  return meant === null
    ? null
    : described(key, listed, 'the declared fields of the HTTP Request', meant, likeness)
}

/** Why runs of a trigger have no value at a path below `trigger`; null if they may have one. */
function missingFrom(
  trigger: FlowNode,
  fields: TriggerFields,
  keys: readonly string[],
  likeness: Effort,
): string | null {
  switch (trigger.facts.trigger) {
    case 'form':
      return missingFromForm(fields, keys, likeness)
    case 'http':
      return missingFromHttp(fields, keys, likeness)
    case 'recurrence':
      return `"${keys.join('.')}" is not in scheduled runs: their trigger is empty`
    default:
      return null
  }
}

/** Why a step's token resolves to nothing in the runs of a trigger that leads to the step; null if it may resolve in all of them. */
export function missingFromTrigger(
  path: TokenPath,
  node: FlowNode,
  graph: CompiledGraph,
  reads: TriggerReads,
): string | null {
  if (!isOfTrigger(path, graph) || path.keys.length === 0 || isTested(path.keys, reads.tested)) return null
  if (path.namespace === 'upstream') {
    const trigger = graph.nodes.get(path.nodeId)
    const fields = trigger && reads.fields.get(trigger)
    return fields ? missingFrom(trigger, fields, path.keys, reads.likeness) : null
  }
  for (const [trigger, fields] of reads.fields) {
    const from = standpoint(trigger, node)
    const isBefore = from !== null && isAncestor(trigger, from)
    const missing = isBefore ? missingFrom(trigger, fields, path.keys, reads.likeness) : null
    if (missing !== null) return missing
  }
  return null
}

/** Why runs may lack the value of a token of a step without a test; null if they have it. */
export function leftOutOfTrigger(
  path: TokenPath,
  node: FlowNode,
  graph: CompiledGraph,
  reads: TriggerReads,
): string | null {
  if (!isOfTrigger(path, graph) || path.keys.length === 0) return null
  if (isTested(path.keys, reads.tested) || isTested(path.keys, reads.testedForValue)) return null
  const [top, second] = path.keys
  for (const [trigger, { optional, names }] of reads.fields) {
    const name =
      top === BODY && !names.has(BODY) ? second : trigger.facts.trigger === 'http' ? top : undefined
    const message = name === undefined ? undefined : optional.get(name)
    if (message === undefined) continue
    if (path.namespace === 'upstream' && path.nodeId !== trigger.id) continue
    const from = standpoint(trigger, node)
    if (from !== null && isAncestor(trigger, from)) return message
  }
  return null
}
