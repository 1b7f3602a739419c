/**
 * Exports of our own in the forms of n8n and Dify. The forms were read from public exports, of which none is kept here: see
 * docs/guides/importing.md.
 */

interface N8nNodeLike {
  name: string
  type: string
  parameters?: Record<string, unknown>
  [key: string]: unknown
}

/** An n8n export: nodes, and connections such as `['A', 'B']`, `['A', 'B', 1]` (output 1) or `['Model', 'Agent', 'ai_languageModel']`. */
export function n8nExport(
  nodes: readonly N8nNodeLike[],
  links: readonly (readonly [string, string, (number | string)?])[] = [],
): Record<string, unknown> {
  const connections: Record<string, Record<string, { node: string; type: string; index: number }[][]>> = {}
  for (const [from, to, by = 0] of links) {
    const kind = typeof by === 'string' ? by : 'main'
    const output = typeof by === 'string' ? 0 : by
    const kinds = connections[from] ?? {}
    const outputs = kinds[kind] ?? []
    connections[from] = kinds
    kinds[kind] = outputs
    while (outputs.length <= output) outputs.push([])
    outputs[output]?.push({ node: to, type: kind, index: 0 })
  }
  return {
    name: 'Exported',
    nodes: nodes.map((node, index) => ({
      id: `id-${index}`,
      typeVersion: 1,
      position: [index * 200, 0],
      parameters: {},
      ...node,
    })),
    connections,
    settings: {},
  }
}

interface DifyNodeLike {
  id: string
  type: string
  title?: string
  data?: Record<string, unknown>
  parentId?: string
}

/** A Dify export: nodes, and edges such as `['start', 'llm']` or `['if', 'llm', 'true']` (handle). */
export function difyExport(
  nodes: readonly DifyNodeLike[],
  links: readonly (readonly [string, string, string?])[] = [],
  rest: { mode?: string; workflow?: Record<string, unknown> } = {},
): Record<string, unknown> {
  return {
    app: { name: 'Exported', mode: rest.mode ?? 'workflow' },
    kind: 'app',
    version: '0.3.0',
    workflow: {
      conversation_variables: [],
      environment_variables: [],
      ...rest.workflow,
      graph: {
        nodes: nodes.map(({ id, type, title = id, data = {}, parentId }, index) => ({
          id,
          type: type === 'note' ? 'custom-note' : 'custom',
          position: { x: index * 300, y: 0 },
          data: { ...data, type: type === 'note' ? '' : type, title },
          ...(parentId && { parentId }),
        })),
        edges: links.map(([source, target, sourceHandle = 'source']) => ({
          id: `${source}-${target}`,
          source,
          sourceHandle,
          target,
          targetHandle: 'target',
        })),
      },
    },
  }
}
