import type { GraphEdge, GraphNode } from '@troupe/graph'
import { isSameJson } from '../values/json-path.ts'

/** A node or an edge before and after a change; null: it is not there. */
interface PartPatch<Kind extends string, Part> {
  kind: Kind
  id: string
  before: Part | null
  after: Part | null
  /** Of a part that comes or goes: the id of the part that it stands before; null: it is the last one. */
  next: string | null
}

/** A node before and after a change. */
interface StepPatch extends PartPatch<'node', GraphNode> {
  /** Of a step that gets another id, which comes as one patch and goes as another: its id in the other one. */
  otherId?: string
}

/** Whether the workflow is offered over MCP. */
interface ExposePatch {
  kind: 'expose'
  before: 'mcp' | null
  after: 'mcp' | null
}

/** One difference between two states of a draft. It says both, so that it can be taken back. */
export type Patch = StepPatch | PartPatch<'edge', GraphEdge> | ExposePatch

export type NodePatch = Extract<Patch, { kind: 'node' }>
export type EdgePatch = Extract<Patch, { kind: 'edge' }>

/** The patches that lead back, in their order. */
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
 * The same change in fewer patches: what was changed twice is changed once, and what came and went again is left out, unless others
 * were put before it meanwhile. A part that was removed and comes again stays two patches, because it may stand elsewhere.
 */
export function coalesce(patches: readonly Patch[]): Patch[] {
  const result: (Patch | null)[] = []
  const latest = new Map<string, number>()
  /** The first ids of steps whose ids were changed, by those that they had in between. */
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
      // It was removed and comes again.
      latest.set(key, result.push(patch) - 1)
    } else if (patch.after !== null) {
      result[at] = joined(former, patch)
    } else if (former.before === null) {
      // It came and went. Parts that were put before it, or stood before it when they went, still need it to find their places.
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

/** A step that gets an id says the one that it had before all patches: one in between is in none of them. */
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

/** A change of one part, then another one of it. */
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
 * Whether a node or an edge is the same. The order of the keys of a config is a part of it: properties of a schema are answered by models
 * in their order.
 */
export function isSamePart(one: Patch['before'], other: Patch['before']): boolean {
  return isSameJson(one, other) && configText(one) === configText(other)
}

function configText(part: Patch['before']): string {
  return typeof part === 'object' && part !== null && 'config' in part ? JSON.stringify(part.config) : ''
}
