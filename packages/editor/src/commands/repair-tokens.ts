import { isJsonObject } from '@troupe/contract'
import { tokenize } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { withTokens } from '../ids/rewire-tokens.ts'
import { completedToken } from '../tokens/open-token.ts'
import type { TokenFix } from '../tokens/token-fixes.ts'
import { putEdgeBetween } from './connect-steps.ts'
import { addStep, type IsRetired, insertOnEdge } from './edit-steps.ts'
import { handlesOf, roleOf } from './step-shape.ts'

/** Names for the steps that a repair adds. */
interface RepairNames {
  /** The Variable that sets the empty text. */
  start: string
  /** The Variable that sets the value. */
  take: string
  /** The If / Else. */
  guard: string
}

/** Applies the chosen repair to a token of a step. */
export function repairToken(
  tx: Transaction,
  stepId: string,
  fix: TokenFix,
  names: RepairNames,
  isRetired: IsRetired,
): void {
  switch (fix.kind) {
    case 'replace':
      replaceToken(tx, stepId, fix.token, fix.path)
      break
    case 'bring-together':
      bringTogether(tx, stepId, fix, names, isRetired)
      break
    case 'guard':
      guard(tx, stepId, fix, names.guard, isRetired)
      break
    case 'require':
      requireField(tx, fix.triggerId, fix.name)
      break
    default:
      fix satisfies never
  }
}

function replaceToken(tx: Transaction, stepId: string, token: string, path: string): void {
  tx.putNode(
    withTokens(tx.requireNode(stepId), (_path, written) =>
      normalized(written) === token ? completedToken(path) : null,
    ),
  )
}

function normalized(written: string): string | null {
  const [part] = tokenize(written)
  return part?.kind === 'token' ? part.token : null
}

/**
 * Makes the step read a variable instead of a step that may be skipped. The variable is set to an empty text at the start of the level, so
 * that every run and every iteration of a Loop has it, and to the value behind its step. For a value of a trigger no empty text is set,
 * because it would overwrite the value.
 */
function bringTogether(
  tx: Transaction,
  stepId: string,
  { token, nodeId }: TokenFix & { kind: 'bring-together' },
  names: RepairNames,
  isRetired: IsRetired,
): void {
  const source = tx.requireNode(nodeId)
  const name = freeVariable(tx, variableName(token, nodeId))
  const variable = (title: string, value: string) => ({
    type: 'variable',
    name: title,
    config: { rows: [{ name, op: 'set', value }] },
  })
  const beginnings =
    source.parentId === null
      ? tx
          .nodes()
          .filter(
            (node) => roleOf(node) === 'trigger' && tx.edgesFrom(node.id).length > 0 && node.id !== nodeId,
          )
      : [tx.requireNode(source.parentId)]
  for (const beginning of beginnings) {
    const handle = source.parentId === null ? handlesOf(beginning)[0] : 'body'
    if (handle !== undefined)
      addStep(tx, { source: beginning.id, handle }, variable(names.start, ''), isRetired)
  }
  const ways = handlesOf(source).filter((handle) => handle !== 'body')
  const taken = ways.filter((handle) =>
    tx.edgesFrom(nodeId).some(({ sourceHandle }) => sourceHandle === handle),
  )
  for (const handle of taken) addStep(tx, { source: nodeId, handle }, variable(names.take, token), isRetired)
  replaceToken(tx, stepId, token, `variables.${name}`)
}

function variableName(token: string, nodeId: string): string {
  const [part] = tokenize(token)
  const key = part?.kind === 'token' && part.path.namespace === 'upstream' ? part.path.keys.at(-1) : undefined
  const name = [nodeId, key ?? 'output']
    .join('_')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, 60)
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

function freeVariable(tx: Transaction, wanted: string): string {
  const taken = new Set(
    tx.nodes().flatMap(({ type, config }) => NODE_TYPES.get(type)?.writes?.(config) ?? []),
  )
  let name = wanted
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}_${n}`
  return name
}

/** Puts an If / Else before a step, so that the step runs only if the token has a value. */
function guard(
  tx: Transaction,
  stepId: string,
  { token, op }: TokenFix & { kind: 'guard' },
  name: string,
  isRetired: IsRetired,
): void {
  const [first, ...others] = tx.edgesTo(stepId)
  if (first === undefined) throw new CommandRefused('no_way_in')
  const config = { match: 'all', conditions: [{ left: token, op }] }
  const id = insertOnEdge(tx, first.id, { type: 'if-else', name, config }, isRetired)
  for (const { id: edgeId, source, sourceHandle } of others) {
    tx.removeEdge(edgeId)
    putEdgeBetween(tx, { source, handle: sourceHandle }, id)
  }
}

function requireField(tx: Transaction, triggerId: string, name: string): void {
  const trigger = tx.requireNode(triggerId)
  const { fields } = trigger.config
  if (!Array.isArray(fields)) return
  const required = fields.map((field: unknown) =>
    isJsonObject(field) && field.name === name ? { ...field, required: true } : field,
  )
  tx.putNode({ ...trigger, config: { ...trigger.config, fields: required } })
}
