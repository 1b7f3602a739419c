import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'
import { DraftDocument, type DraftReader } from '../document/draft-document.ts'
import { type Transaction, transact } from '../document/transaction.ts'
import { WorkflowEditor } from '../session/workflow-editor.ts'

export const node = (
  id: string,
  parentId: string | null = null,
  part: Partial<GraphNode> = {},
): GraphNode => ({
  id,
  type: id.startsWith('loop') ? 'loop' : 'edit-fields',
  name: id,
  parentId,
  position: { x: 0, y: 0 },
  config: {},
  ...part,
})

export const edge = (source: string, target: string, sourceHandle = 'out'): GraphEdge => ({
  id: `${source}:${sourceHandle}:${target}`,
  source,
  sourceHandle,
  target,
})

/** The edges of a draft as `source handle target`, sorted. */
export const waysOf = (reader: Pick<DraftReader, 'edges'> | Graph): string[] =>
  (typeof reader.edges === 'function' ? reader.edges() : reader.edges)
    .map(({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`)
    .sort()

/** The draft after a command, and the result of the command. */
export function after(graph: Graph, command: (tx: Transaction) => unknown) {
  const document = new DraftDocument(graph)
  const outcome = transact(document, command)
  return { document, outcome, reason: outcome.ok ? null : outcome.reason }
}

export function editorOf(graph: Graph, revision = 1): WorkflowEditor {
  let saves = 0
  return new WorkflowEditor(
    { revision, graph },
    {
      newChangeId: () => {
        saves += 1
        return `save ${saves}`
      },
    },
  )
}
