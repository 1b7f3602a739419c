import type { Graph } from '@troupe/graph'
import fc from 'fast-check'
import { duplicate, fragmentOf, paste } from '../clipboard/fragment.ts'
import { connect, connectBehind, disconnect, join, reconnect } from '../commands/connect-steps.ts'
import {
  addLooseStep,
  addStep,
  addTrigger,
  changeId,
  insertOnEdge,
  moveSteps,
  removeSteps,
  renameStep,
  replaceType,
  setValue,
} from '../commands/edit-steps.ts'
import { unwrapLoop, wrapInLoop } from '../commands/loop-steps.ts'
import { moveInOrder } from '../commands/order-steps.ts'
import { replaceDraft } from '../commands/replace-draft.ts'
import { handlesOf } from '../commands/step-shape.ts'
import { CommandRefused, type Transaction } from '../document/transaction.ts'

/** A command as numbers, so that a failing sequence can be shrunk. */
export interface RandomEdit {
  kind: (typeof KINDS)[number]
  a: number
  b: number
  c: number
}

const KINDS = [
  'add',
  'insert',
  'trigger',
  'loose',
  'remove',
  'rename',
  'move',
  'set',
  'token',
  'type',
  'id',
  'connect',
  'behind',
  'join',
  'disconnect',
  'reconnect',
  'wrap',
  'unwrap',
  'order',
  'duplicate',
  'paste',
  'expose',
  'replace',
] as const

const TYPES = ['ai-prompt', 'if-else', 'loop', 'edit-fields', 'human-review', 'classify', 'variable'] as const
const NAMES = ['Ask', 'Check it', 'Größe', 'Each', '段', 'Sum up'] as const

export const randomEdit: fc.Arbitrary<RandomEdit> = fc.record({
  kind: fc.constantFrom(...KINDS),
  a: fc.nat(40),
  b: fc.nat(40),
  c: fc.nat(40),
})

/** Edits that keep the step `start` and remove nothing. */
export const additiveEdit: fc.Arbitrary<RandomEdit> = fc.record({
  kind: fc.constantFrom('add', 'insert', 'loose', 'rename', 'move', 'connect', 'duplicate', 'token'),
  a: fc.nat(40),
  b: fc.nat(40),
  c: fc.nat(40),
})

/** A first draft: a trigger, a step, a choice and a Loop with a body. */
export function firstGraph(): Graph {
  const node = (id: string, type: string, x: number, parentId: string | null = null) => ({
    ...{ id, type, name: id, parentId, position: { x, y: 0 } },
    config: type === 'ai-prompt' ? { prompt: 'About {{ trigger.message }}' } : {},
  })
  const edge = (source: string, sourceHandle: string, target: string) => ({
    ...{ id: `${source}:${sourceHandle}:${target}`, source, sourceHandle, target },
  })
  return {
    nodes: [
      node('start', 'manual-trigger', 0),
      node('ask', 'ai-prompt', 240),
      node('check', 'if-else', 480),
      node('each', 'loop', 720),
      node('inner', 'ai-prompt', 40, 'each'),
      node('end', 'edit-fields', 960),
    ],
    edges: [
      edge('start', 'out', 'ask'),
      edge('ask', 'out', 'check'),
      edge('check', 'true', 'each'),
      edge('check', 'false', 'end'),
      edge('each', 'body', 'inner'),
      edge('each', 'done', 'end'),
    ],
  }
}

/** Applies an edit to the current draft; refuses like commands. */
export function makeEdit(
  tx: Transaction,
  { kind, a, b, c }: RandomEdit,
  isRetired: (id: string) => boolean,
): void {
  const node = pick(tx.nodes(), a)
  const other = pick(tx.nodes(), b)
  const edge = tx.edges()[a % Math.max(1, tx.edges().length)]
  const handles = handlesOf(node)
  const handle = handles[c % Math.max(1, handles.length)] ?? 'out'
  const way = { source: node.id, handle }
  const step = { type: pick(TYPES, b), name: pick(NAMES, c) }
  const position = { x: b * 10, y: c * 10 }
  const needEdge = () => edge ?? refuse()
  switch (kind) {
    case 'add':
      addStep(tx, way, step, isRetired)
      return
    case 'insert':
      insertOnEdge(tx, needEdge().id, step, isRetired)
      return
    case 'trigger':
      addTrigger(tx, { type: 'http-request', name: 'Webhook', position, leadsTo: [other.id] }, isRetired)
      return
    case 'loose':
      addLooseStep(tx, { type: 'note', name: 'Note', parentId: null, position }, isRetired)
      return
    case 'remove':
      removeSteps(tx, [node.id, ...(c % 3 === 0 ? [other.id] : [])])
      return
    case 'rename':
      renameStep(tx, node.id, `${pick(NAMES, b)} ${c}`)
      return
    case 'move':
      moveSteps(tx, new Map([[node.id, position]]))
      return
    case 'set':
      setValue(tx, node.id, `k${b % 5}`, c % 4 === 0 ? undefined : { text: `v${c}` })
      return
    case 'token':
      setValue(tx, node.id, 'prompt', `See {{upstream.${other.id}.output.a}} and \\{{ this }} ${c}`)
      return
    case 'type':
      replaceType(tx, node.id, step.type)
      return
    case 'id':
      changeId(tx, node.id, `own-${b}`, isRetired)
      return
    case 'connect':
      connect(tx, way, other.id)
      return
    case 'behind':
      connectBehind(tx, way, other.id)
      return
    case 'join':
      join(tx, [way, { source: pick(tx.nodes(), c).id, handle: 'out' }], other.id)
      return
    case 'disconnect':
      disconnect(tx, needEdge().id)
      return
    case 'reconnect':
      reconnect(tx, needEdge().id, other.id)
      return
    case 'wrap':
      wrapInLoop(
        tx,
        [...new Set([node.id, ...(c % 2 === 0 ? [other.id] : [])])],
        { type: 'loop', name: 'Loop' },
        isRetired,
      )
      return
    case 'unwrap':
      unwrapLoop(tx, node.id)
      return
    case 'order':
      moveInOrder(tx, node.id, c % 2 === 0 ? 'earlier' : 'later')
      return
    case 'duplicate':
      duplicate(tx, [...new Set([node.id, other.id])], isRetired)
      return
    case 'paste': {
      const parentId = node.type === 'loop' ? node.id : null
      paste(tx, fragmentOf(tx, [other.id]), { parentId, offset: position }, isRetired)
      return
    }
    case 'expose':
      tx.setExpose(tx.expose === null ? 'mcp' : null)
      return
    case 'replace': {
      const all = [...tx.nodes()]
      const nodes = [...all.slice(a % 3), ...all.slice(0, Math.max(0, (a % 3) - (b % 2)))]
      const ids = new Set(nodes.map(({ id }) => id))
      const edges = tx.edges().filter(({ source, target }) => ids.has(source) && ids.has(target))
      const kept = nodes.map((one) => (ids.has(one.parentId ?? '') ? one : { ...one, parentId: null }))
      replaceDraft(tx, { nodes: kept, edges: edges.toReversed().slice(c % 2) })
      return
    }
    default:
      kind satisfies never
  }
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % Math.max(1, list.length)] ?? refuse()
}

function refuse(): never {
  throw new CommandRefused('unknown_step')
}
