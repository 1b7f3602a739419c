import { type EdgePatch, keyOf, type NodePatch, type Patch } from '../document/patch.ts'

/** A change in an order that is always applicable: edges need the nodes at both ends. */
export interface Phases {
  edgesGone: EdgePatch[]
  /**
   * Nodes that were added, changed, or moved in the order of the draft. They keep the order of the patches, because one may be inserted
   * before another moved one.
   */
  nodesPut: (NodePatch & { isMoved: boolean })[]
  nodesGone: NodePatch[]
  edgesPut: EdgePatch[]
  expose: 'mcp' | null | undefined
}

/** The net change: the state of each part before and after all patches. */
export function phasesOf(patches: readonly Patch[]): Phases {
  const first = new Map<string, Patch>()
  const last = new Map<string, Patch>()
  for (const patch of patches) {
    if (!first.has(keyOf(patch))) first.set(keyOf(patch), patch)
    last.set(keyOf(patch), patch)
  }
  const phases: Phases = {
    edgesGone: [],
    nodesPut: [],
    nodesGone: [],
    edgesPut: [],
    expose: undefined,
  }
  for (const patch of patches) {
    const former = first.get(keyOf(patch))
    if (patch !== last.get(keyOf(patch)) || former === undefined) continue
    if (patch.kind === 'expose') phases.expose = patch.after
    if (patch.kind === 'node' && former.kind === 'node') addNode(phases, former, patch)
    if (patch.kind === 'edge' && former.kind === 'edge') addEdge(phases, former, patch)
  }
  return phases
}

function addNode(phases: Phases, former: NodePatch, patch: NodePatch): void {
  const whole = { ...patch, before: former.before }
  if (former.before === null) {
    // It may have been added and removed again.
    if (patch.after !== null) phases.nodesPut.push({ ...whole, isMoved: false })
  } else if (patch.after === null) phases.nodesGone.push(whole)
  else phases.nodesPut.push({ ...whole, isMoved: former !== patch })
}

function addEdge(phases: Phases, former: EdgePatch, patch: EdgePatch): void {
  const whole = { ...patch, before: former.before }
  if (former.before === null) {
    if (patch.after !== null) phases.edgesPut.push(whole)
  } else if (patch.after === null) phases.edgesGone.push(whole)
  else if (former === patch) phases.edgesPut.push(patch)
  else {
    phases.edgesGone.push({ ...former, after: null })
    phases.edgesPut.push({ ...patch, before: null })
  }
}
