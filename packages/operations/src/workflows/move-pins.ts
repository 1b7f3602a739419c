import { createHash } from 'node:crypto'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { hasSampleFields } from '@troupe/nodes/sample-payload'
import type { Transaction, WorkflowRecord } from '@troupe/storage'
import type { PatchedDraft } from './patch-draft.ts'

type Pins = Transaction['write']['pins']
type Draft = Pick<WorkflowRecord, 'organizationId' | 'id'>

/**
 * Pins follow their steps. A renamed step takes its pin along, replacing that of an earlier step. The pin of a removed
 * step becomes inactive, as does that of a step whose new type gives the value another meaning. An undo that restores
 * the same step reactivates its pin.
 */
export async function movePins(
  pins: Pins,
  { organizationId, id }: Draft,
  { nodes, newIds }: Pick<PatchedDraft, 'nodes' | 'newIds'>,
): Promise<void> {
  const formerOf = new Map(nodes.flatMap(({ id: nodeId, before }) => (before ? [[nodeId, before]] : [])))
  const latterOf = new Map(nodes.flatMap(({ id: nodeId, after }) => (after ? [[nodeId, after]] : [])))
  const moved = new Map(
    [...newIds].filter(([from, to]) => {
      const [before, after] = [formerOf.get(from), latterOf.get(to)]
      return !before || !after || haveSameValues(before, after)
    }),
  )
  const renamed = new Set(moved.values())
  const passedOn = new Set([...newIds].flat())
  const newSteps = new Set(
    nodes.flatMap(({ id: nodeId, before, after }) =>
      (before === null || newIds.has(nodeId)) && after !== null && !renamed.has(nodeId) ? nodeId : [],
    ),
  )
  const removed = new Map<string, string>()
  const added = new Map<string, string>()
  for (const { id: nodeId, before, after } of nodes) {
    const isKept = before !== null && after !== null && !passedOn.has(nodeId) && haveSameValues(before, after)
    if (isKept) continue
    if (before !== null && !moved.has(nodeId)) removed.set(nodeId, stepHash(before))
    if (after !== null && !renamed.has(nodeId)) added.set(nodeId, stepHash(after))
  }
  const restored = await swapPins(pins, { organizationId, id }, { removed, added })
  await pins.deleteAside(
    organizationId,
    id,
    [...newSteps].filter((nodeId) => !restored.has(nodeId)),
  )
  await pins.delete(
    organizationId,
    id,
    [...renamed].filter((nodeId) => !moved.has(nodeId)),
  )
  await pins.move(organizationId, id, moved)
}

/**
 * The same for a replaced draft. Pins of removed steps are kept, and become active again when an older draft is
 * restored.
 */
export async function movePinsOfDraft(pins: Pins, draft: Draft, before: Graph, after: Graph): Promise<void> {
  const former = new Map(before.nodes.map((node) => [node.id, node]))
  const replaced = after.nodes.flatMap((node) => {
    const one = former.get(node.id)
    return one && !haveSameValues(one, node) ? { one, node } : []
  })
  await swapPins(pins, draft, {
    removed: new Map(replaced.map(({ one }) => [one.id, stepHash(one)])),
    added: new Map(replaced.map(({ node }) => [node.id, stepHash(node)])),
  })
}

interface Swap {
  removed: ReadonlyMap<string, string>
  added: ReadonlyMap<string, string>
}

/**
 * A pin that was deactivated just now, with the previous step of an id, does not belong to a step with a new type. A
 * pin that was deactivated earlier stays with its own step, even while later steps with its id are removed and
 * restored.
 *
 * @returns the ids of steps that had been removed before and are in the draft again
 */
async function swapPins(
  pins: Pins,
  { organizationId, id }: Draft,
  { removed, added }: Swap,
): Promise<ReadonlySet<string>> {
  const aside = new Set(await pins.setAside(organizationId, id, removed))
  const others = [...added].filter(([nodeId]) => !aside.has(nodeId))
  const restored = new Set(await pins.bringBack(organizationId, id, new Map(others)))
  const covering = [...removed].filter(([nodeId]) => !aside.has(nodeId) && !restored.has(nodeId))
  await pins.cover(organizationId, id, new Map(covering))
  return restored
}

/**
 * Whether a pinned value of one step is also valid for the other. Sample values belong to the fields of a trigger's
 * type, and the list of a Loop to its iterations. Other triggers and Notes have no value.
 */
function haveSameValues(one: GraphNode, other: GraphNode): boolean {
  return one.type === other.type || valuesOf(one) === valuesOf(other)
}

function valuesOf({ type }: GraphNode): string {
  if (hasSampleFields(type)) return `sample of ${type}`
  const role = NODE_TYPES.get(type)?.role
  if (role === 'loop') return 'list'
  return role === 'trigger' || role === 'note' ? 'none' : 'output'
}

/**
 * Identity of a step by its type and settings: a restored step has the same identity, another step with its id does
 * not.
 */
function stepHash({ type, config }: GraphNode): string {
  return createHash('sha256')
    .update(JSON.stringify([type, config]))
    .digest('hex')
}
