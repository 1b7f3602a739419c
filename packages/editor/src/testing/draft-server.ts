import type { Graph } from '@troupe/graph'
import type { StoredSave } from '../session/workflow-editor.ts'
import type { DraftChange } from '../sync/draft-changes.ts'

type Answer =
  | { ok: true; revision: number }
  | { ok: false; revision: number; changesSince: (StoredSave & { revision: number })[] }

/**
 * The server's half of saves, by the rules of packages/operations/src/workflows/patched-parts.ts and save-draft-changes.ts: a known change
 * gets the same response as before, a stale revision is refused with the saves since, and new parts are inserted before the part that they
 * name.
 */
export class DraftServer {
  graph: Graph
  revision = 1
  readonly saves: (StoredSave & { revision: number })[] = []

  constructor(graph: Graph) {
    this.graph = graph
  }

  since(revision: number) {
    return this.saves.filter((save) => save.revision > revision)
  }

  save(changeId: string, draftRevision: number, changes: readonly DraftChange[]): Answer {
    const known = this.saves.find((save) => save.changeId === changeId)
    if (known) return { ok: true, revision: known.revision }
    if (draftRevision !== this.revision) {
      return { ok: false, revision: this.revision, changesSince: this.since(draftRevision) }
    }
    const stored: DraftChange[] = JSON.parse(JSON.stringify(changes))
    const { nodes, edges } = this.graph
    const expose = stored.flatMap((change) => ('expose' in change ? [change.expose] : [])).at(-1)
    const wasExposed = this.graph.expose
    this.graph = {
      nodes: patched(nodes, stored, 'node'),
      edges: patched(edges, stored, 'edge'),
      ...((expose === undefined ? wasExposed : expose) ? { expose: 'mcp' } : {}),
    }
    this.revision += 1
    this.saves.push({ changeId, changes: stored, revision: this.revision })
    return { ok: true, revision: this.revision }
  }
}

function patched<T extends { id: string }>(
  before: readonly T[],
  changes: readonly DraftChange[],
  kind: 'node' | 'edge',
): T[] {
  const parts = [...before]
  const places = new Map<string, string | undefined>()
  const added: string[] = []
  const drop = (id: string) => {
    const at = parts.findIndex((part) => part.id === id)
    if (at !== -1) parts.splice(at, 1)
    places.delete(id)
  }
  for (const change of changes) {
    if ('remove' in change) {
      const id = Reflect.get(change.remove, `${kind}Id`)
      if (id !== undefined) drop(id)
    }
    if (!('put' in change)) continue
    const part: T | undefined = Reflect.get(change.put, kind)
    if (part === undefined) continue
    const at = parts.findIndex(({ id }) => id === part.id)
    if (at === -1) {
      parts.push(part)
      places.set(part.id, change.put.before)
      added.push(part.id)
    } else parts[at] = part
  }
  // Each new part is inserted before the part that it names, as soon as that one is in place.
  const waiting = [...new Set(added)].filter((id) => parts.some((part) => part.id === id))
  const isPlaced = (id: string) => !waiting.includes(id) || !places.get(id)
  const done = new Set<string>()
  for (let round = 0; round <= waiting.length; round += 1) {
    for (const id of waiting) {
      const before = places.get(id)
      if (done.has(id) || before === undefined) continue
      if (!(isPlaced(before) || done.has(before)) || !parts.some((part) => part.id === before)) continue
      const [part] = parts.splice(
        parts.findIndex((one) => one.id === id),
        1,
      )
      if (part) {
        parts.splice(
          parts.findIndex((one) => one.id === before),
          0,
          part,
        )
      }
      done.add(id)
    }
  }
  return parts
}
