import { type Graph, type GraphNode, resolveValue, validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { repairToken } from '../commands/repair-tokens.ts'
import { after, edge, node, waysOf } from '../testing/draft.ts'
import { knownTokens } from './known-tokens.ts'
import { fixesOf, reportedTokens, type TokenFix, tokenOf, writtenToken } from './token-fixes.ts'

const names = { start: 'Start value', take: 'Value', guard: 'Is it there' }
const step = (id: string, type: string, config: object = {}, parentId: string | null = null): GraphNode =>
  node(id, parentId, { type, name: id, config: { ...config } })
const text = (value: string) => ({ rows: [{ name: 'text', value }] })
const form = step('form', 'form-trigger', {
  title: 'Ask',
  fields: [{ name: 'mail', label: 'Mail', type: 'text', required: false }],
})

const findingsOf = (graph: Graph) =>
  validateGraph(graph, NODE_TYPES)
    .problems.filter(({ message }) => tokenOf(message) !== null)
    .map((finding) => ({
      ...finding,
      fixes: fixesOf(finding, graph, knownTokens(graph, finding.nodeId ?? '')),
    }))

/** Applies one of the repairs of the only finding, and returns the graph after it. */
function repaired(graph: Graph, kind: TokenFix['kind']) {
  const [finding] = findingsOf(graph)
  const fix = finding?.fixes.find((one) => one.kind === kind)
  if (!finding?.nodeId || !fix)
    throw new Error(`${kind} is not offered: ${JSON.stringify(findingsOf(graph))}`)
  const { nodeId } = finding
  const { document, reason } = after(graph, (tx) => repairToken(tx, nodeId, fix, names, () => false))
  expect(reason).toBeNull()
  return { nodes: [...document.nodes()], edges: [...document.edges()] }
}

const branched = (parentId: string | null = null): Graph => ({
  nodes: [
    step('start', 'manual-trigger'),
    ...(parentId === null ? [] : [step(parentId, 'loop', { mode: 'count', count: 2 })]),
    step('sort', 'if-else', { conditions: [{ left: '{{ trigger.a }}', op: 'is_true' }] }, parentId),
    step('yes', 'edit-fields', text('1'), parentId),
    step('end', 'edit-fields', text('It is {{upstream.yes.output.text}}'), parentId),
  ],
  edges: [
    ...(parentId === null
      ? [edge('start', 'sort')]
      : [edge('start', parentId), edge(parentId, 'sort', 'body')]),
    edge('sort', 'yes', 'true'),
    edge('yes', 'end'),
    edge('sort', 'end', 'false'),
  ],
})

test.each([
  ['{{ trigger.body.mial }}', 'trigger.body.mail'],
  ['{{ trigger.mail }}', 'trigger.body.mail'],
  ['{{ upstream.classfy.output.category }}', 'upstream.classify.output.category'],
  ['{{ upstream.classify.category }}', 'upstream.classify.output.category'],
])('%s is replaced by %s in every place of the step', (token, path) => {
  const required = {
    ...form,
    config: { ...form.config, fields: [{ name: 'mail', label: 'M', type: 'text', required: true }] },
  }
  const graph = {
    nodes: [
      required,
      step('classify', 'classify', {
        text: 'x',
        classes: [
          { id: 'a', name: 'a', description: 'a' },
          { id: 'b', name: 'b', description: 'b' },
        ],
      }),
      step('end', 'edit-fields', text(`A ${token} and ${token.replaceAll(' ', '')}`)),
    ],
    edges: [edge('form', 'classify'), edge('classify', 'end', 'a')],
  }
  const [finding] = findingsOf(graph).filter(({ nodeId }) => nodeId === 'end')
  const [fix] = finding?.fixes ?? []
  expect(fix).toMatchObject({ kind: 'replace', path })
  if (!fix) return
  const { document } = after(graph, (tx) => repairToken(tx, 'end', fix, names, () => false))
  expect(document.node('end')?.config).toEqual(text(`A {{ ${path} }} and {{ ${path} }}`))
})

test.each([
  null,
  'each',
])('branches with a step that may be skipped are merged in a Variable, in %s', (parentId) => {
  const fixed = repaired(branched(parentId), 'bring-together')
  expect(findingsOf(fixed)).toEqual([])
  expect(fixed.nodes.find(({ id }) => id === 'end')?.config).toEqual(text('It is {{ variables.yes_text }}'))
  expect(waysOf(fixed)).toContain('value out end')
  expect(waysOf(fixed)).toContain(`${parentId ?? 'start'} ${parentId === null ? 'out' : 'body'} start-value`)
})

test('a guard is before the step on all of its paths, and passes the check', () => {
  const fixed = repaired(branched(), 'guard')
  expect(waysOf(fixed)).toEqual([
    'is-it-there true end',
    'sort false is-it-there',
    'sort true yes',
    'start out sort',
    'yes out is-it-there',
  ])
  expect(findingsOf(fixed)).toEqual([])
})

test('a trigger that may not have started the run is merged without losing its value', () => {
  const graph = {
    nodes: [
      form,
      step('api', 'http-request'),
      step('end', 'edit-fields', text('{{ upstream.form.output.body }}')),
    ],
    edges: [edge('form', 'end'), edge('api', 'end')],
  }
  const fixed = repaired(graph, 'bring-together')
  expect(findingsOf(fixed)).toEqual([])
  expect(waysOf(fixed)).toEqual([
    'api out start-value',
    'form out value',
    'start-value out end',
    'value out end',
  ])
})

test.each(['require', 'guard'] as const)('an optional field of a form is repaired by %s', (kind) => {
  const graph = {
    nodes: [form, step('end', 'edit-fields', text('{{ trigger.body.mail }}'))],
    edges: [edge('form', 'end')],
  }
  expect(findingsOf(repaired(graph, kind))).toEqual([])
})

test('a sentence of a run names its token too, and other sentences name none', () => {
  expect(
    tokenOf('row "a": could not resolve {{ trigger.x }}: "x" is not in the trigger (has: y)')?.token,
  ).toBe('{{ trigger.x }}')
  expect(tokenOf('is required')).toBeNull()
  expect(fixesOf({ code: 'schema', message: 'is required' }, { nodes: [], edges: [] }, [])).toEqual([])
})

test('a token that no run can resolve is reported as the error of a run names it; one that may be skipped is not', () => {
  const graph = after(branched(), (tx) =>
    tx.putNode(
      step(
        'end',
        'edit-fields',
        text('{{upstream.yes.output.text}} {{ trigger. }} {{upstream.gone.output}}'),
      ),
    ),
  ).document
  const { problems } = validateGraph({ nodes: [...graph.nodes()], edges: [...graph.edges()] }, NODE_TYPES)
  expect(problems.map(({ code }) => code)).toContain('may_be_skipped')
  const reported = reportedTokens(problems)
  expect([...reported]).toEqual(['{{ trigger. }}', '{{ upstream.gone.output }}'])
  const scope = {
    trigger: {},
    upstream: () => ({ ok: false, reason: 'no output' }) as const,
    variables: new Map(),
    loop: null,
  }
  for (const template of ['{{ trigger. }}', '{{upstream.gone.output}}']) {
    const resolved = resolveValue(template, scope)
    expect(resolved.ok ? null : reported.has(writtenToken(resolved.error) ?? '')).toBe(true)
  }
})
