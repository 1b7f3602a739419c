/**
 * Handmade exports in the formats of n8n and Dify. The formats were derived from public exports, none of which is
 * stored here: see docs/guides/importing.md.
 */

import { DIFY_MAPPINGS } from '../dify/import-dify.ts'
import { N8N_MAPPINGS } from '../n8n/import-n8n.ts'

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

/** Texts that bundles, YAML and tokens could misinterpret. */
const HARD_TEXTS = [
  `echo \${HOME} $\${HOME} $HOME`,
  'a: b # c\n---\n- d\t\n  e  \n',
  'windows\r\nmac\rlines',
  'next line \u0085, separators \u2028 \u2029, a byte order mark \ufeff, a zero width \u200b space',
  '!!js/function "x" &a *a <<: %TAG',
  '0123, 1e3, 0x1f, yes, null, ~, 2026-11-29, .inf',
  '\'single\' "double" \\ back {{ curly }} {% percent %} 👩‍👩‍👧',
  `${'long '.repeat(60)}word`,
  '  leading and trailing  ',
]

const hardSettings = (at: number) => ({ text: HARD_TEXTS[at % HARD_TEXTS.length] })

/** An n8n export with a node of each type, enabled and disabled, in one chain, and with texts that are hard to serialize. */
export function n8nExportOfEveryType(): Record<string, unknown> {
  const types = [...N8N_MAPPINGS.flatMap((mapping) => mapping.types), 'n8n-nodes-base.code', 'x.unknown']
  const assignments = HARD_TEXTS.map((value, at) => ({ name: `field${at}`, type: 'string', value }))
  const filled = types.map((type, at) => ({ name: `${type} ${at}`, type, parameters: hardSettings(at) }))
  const nodes: N8nNodeLike[] = [
    { name: 'Begin', type: 'n8n-nodes-base.webhook', parameters: { httpMethod: 'POST' } },
    ...filled,
    ...filled.map((node) => ({ ...node, name: `${node.name} off`, disabled: true })),
    {
      name: 'Hard texts',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: { assignments: { assignments } },
    },
    ...HARD_TEXTS.map((text, at) => ({
      name: `Sticky ${at} ${text}`,
      type: 'n8n-nodes-base.stickyNote',
      parameters: { content: text },
    })),
  ]
  const chain = nodes.slice(1).map(({ name }, at) => [nodes[at]?.name ?? '', name] as const)
  return n8nExport(nodes, chain)
}

/** A Dify export with a node of each type in one chain, and with texts that are hard to serialize. */
export function difyExportOfEveryType(): Record<string, unknown> {
  const types = [...DIFY_MAPPINGS.flatMap((mapping) => mapping.types), 'code', 'unknown']
  const prompt_template = HARD_TEXTS.map((text) => ({ role: 'user', text }))
  const nodes: DifyNodeLike[] = [
    { id: 'start', type: 'start', data: { variables: [{ variable: 'topic', type: 'text-input' }] } },
    ...types.map((type, at) => ({ id: `n${at}`, type, title: `${type} ${at}`, data: hardSettings(at) })),
    { id: 'llm', type: 'llm', data: { prompt_template, model: { name: 'gpt-4o' } } },
    ...HARD_TEXTS.map((text, at) => ({
      id: `tpl${at}`,
      type: 'template-transform',
      title: text,
      data: { template: text },
    })),
  ]
  return difyExport(
    nodes,
    nodes.slice(1).map(({ id }, at) => [nodes[at]?.id ?? '', id] as const),
  )
}
