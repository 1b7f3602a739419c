import type { GraphEdge, GraphNode } from '@troupe/graph'
import { isSameJson } from '../values/json-path.ts'

/** A node or an edge before and after a change; null: absent. */
interface PartPatch<Kind extends string, Part> {
  kind: Kind
  id: string
  before: Part | null
  after: Part | null
  /** For an added or removed part: the id of the part after it; null if it is the last one. */
  next: string | null
}

/** A node before and after a change. */
interface StepPatch extends PartPatch<'node', GraphNode> {
  /** For a step with a changed id, which is one removal and one addition: its id in the other patch. */
  otherId?: string
}

/** A change of the MCP exposure of the workflow. */
interface ExposePatch {
  kind: 'expose'
  before: 'mcp' | null
  after: 'mcp' | null
}

/** One difference between two states of a draft. It contains both states, so that it can be undone. */
export type Patch = StepPatch | PartPatch<'edge', GraphEdge> | ExposePatch

export type NodePatch = Extract<Patch, { kind: 'node' }>
export type EdgePatch = Extract<Patch, { kind: 'edge' }>

/** The inverse patches, in reverse order. */
export function inverse(patches: readonly Patch[]): Patch[] {
  return patches.toReversed().map(turned)
}

function turned(patch: Patch): Patch {
  switch (patch.kind) {
    case 'node':
      return { ...patch, before: patch.after, after: patch.before }
    case 'edge':
      return { ...patch, before: patch.after, after: patch.before }
    case 'expose':
      return { ...patch, before: patch.after, after: patch.before }
    default:
      return patch satisfies never
  }
}

/**
 * The same change in fewer patches: repeated changes are joined, and parts that were added and removed again are omitted, unless other
 * parts were inserted before them in the meantime. A part that was removed and added again stays two patches, because its position may differ.
 */
export function coalesce(patches: readonly Patch[]): Patch[] {
  const result: (Patch | null)[] = []
  const latest = new Map<string, number>()
  /** The original ids of steps with changed ids, by their intermediate ids. */
  const firstIds = new Map<string, string>()
  for (const given of patches) {
    const patch = withFirstId(given, firstIds)
    const key = keyOf(patch)
    const at = latest.get(key)
    const former = at === undefined ? null : (result[at] ?? null)
    if (at === undefined || former === null || (former.after === null) !== (patch.before === null)) {
      latest.set(key, result.push(patch) - 1)
      continue
    }
    if (former.kind === 'expose' || patch.kind === 'expose') {
      result[at] = joined(former, patch)
    } else if (former.after === null) {
      // It was removed and added again.
      latest.set(key, result.push(patch) - 1)
    } else if (patch.after !== null) {
      result[at] = joined(former, patch)
    } else if (former.before === null) {
      // It was added and removed again. Parts that were inserted before it, or preceded it when it was removed, still need it to find their
      // positions.
      const isUsed = result.slice(at + 1).some((one) => one?.kind === patch.kind && one.next === patch.id)
      if (isUsed) latest.set(key, result.push(patch) - 1)
      else {
        result[at] = null
        latest.delete(key)
      }
    } else {
      result[at] = null
      latest.set(key, result.push(withBefore(patch, former)) - 1)
    }
  }
  return result.filter((patch) => patch !== null).filter((patch) => !isSamePart(patch.before, patch.after))
}

/** Replaces an intermediate previous id by the id before all patches: no remaining patch contains the intermediate one. */
function withFirstId(patch: Patch, firstIds: Map<string, string>): Patch {
  if (patch.kind !== 'node' || patch.before !== null || patch.otherId === undefined) return patch
  const otherId = firstIds.get(patch.otherId) ?? patch.otherId
  firstIds.set(patch.id, otherId)
  return { ...patch, otherId }
}

/** Identifies a part of a draft: ids of nodes and edges are unique within their kind only. */
export const partKey = ({ kind, id }: { kind: 'node' | 'edge'; id: string }): string => `${kind} ${id}`

/** Identifies the part that a patch changes. */
export function keyOf(patch: Patch): string {
  return patch.kind === 'expose' ? 'expose' : partKey(patch)
}

/** Joins two successive changes of one part. */
function joined(former: Patch, later: Patch): Patch {
  if (former.kind === 'node' && later.kind === 'node') return { ...former, after: later.after }
  if (former.kind === 'edge' && later.kind === 'edge') return { ...former, after: later.after }
  if (former.kind === 'expose' && later.kind === 'expose') return { ...former, after: later.after }
  return later
}

function withBefore(patch: Patch, former: Patch): Patch {
  if (patch.kind === 'node' && former.kind === 'node') return { ...patch, before: former.before }
  if (patch.kind === 'edge' && former.kind === 'edge') return { ...patch, before: former.before }
  return patch
}

/**
 * Whether a node or an edge is unchanged. The order of the keys of a config counts: models answer the properties of a schema in their
 * order.
 */
export function isSamePart(one: Patch['before'], other: Patch['before']): boolean {
  return isSameJson(one, other) && configText(one) === configText(other)
}

function configText(part: Patch['before']): string {
  return typeof part === 'object' && part !== null && 'config' in part ? JSON.stringify(part.config) : ''
}
