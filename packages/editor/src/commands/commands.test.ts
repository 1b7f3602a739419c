import { jsonBytes } from '@troupe/contract'
import { MAX_GRAPH_BYTES } from '@troupe/graph'
import { expect, test } from 'vitest'
import {
  clipboardText,
  duplicate,
  fragmentOf,
  paste,
  readClipboard,
  resourcesOf,
  withResources,
} from '../clipboard/fragment.ts'
import { readGraph } from '../document/read-graph.ts'
import { tokenReaders } from '../ids/token-readers.ts'
import { isPlaced } from '../layout/placed-level.ts'
import { after, edge, editorOf, node, waysOf } from '../testing/draft.ts'
import { connect, connectBehind, placesFor, reconnect } from './connect-steps.ts'
import { differenceBetween } from './difference-between.ts'
import {
  addStep,
  addTrigger,
  changeId,
  insertOnEdge,
  removeSteps,
  replaceType,
  toggleDisabled,
} from './edit-steps.ts'
import { unwrapLoop, wrapInLoop } from './loop-steps.ts'
import { moveInOrder } from './order-steps.ts'

const never = () => false
const fields = (name: string) => ({ type: 'edit-fields', name })
const chain = { nodes: [node('a'), node('b'), node('c')], edges: [edge('a', 'b'), edge('b', 'c')] }
const looped = {
  nodes: [node('a'), node('loop'), node('x', 'loop'), node('y', 'loop'), node('c')],
  edges: [edge('a', 'loop'), edge('loop', 'x', 'body'), edge('x', 'y'), edge('loop', 'c', 'done')],
}

test('a new step is inserted between a step and its successor', () => {
  const { document } = after(chain, (tx) => addStep(tx, { source: 'a', handle: 'out' }, fields('A'), never))
  expect(waysOf(document)).toEqual(['a out a-2', 'a-2 out b', 'b out c'])
  expect(document.node('a-2')).toMatchObject({ name: 'A', parentId: null })
})

test('a step at the body of a Loop belongs to it, and the successor of a step follows a new Loop when it is done', () => {
  const inside = after(looped, (tx) => addStep(tx, { source: 'loop', handle: 'body' }, fields('New'), never))
  expect(inside.document.node('new')?.parentId).toBe('loop')
  expect(waysOf(inside.document)).toContain('new out x')
  const between = after(chain, (tx) =>
    addStep(tx, { source: 'a', handle: 'out' }, { type: 'loop', name: 'Each' }, never),
  )
  expect(waysOf(between.document)).toEqual(['a out each', 'b out c', 'each done b'])
})

test('a removed step leaves its path connected, and the body of a Loop is removed with it', () => {
  expect(waysOf(after(chain, (tx) => removeSteps(tx, ['b'])).document)).toEqual(['a out c'])
  const { document } = after(looped, (tx) => removeSteps(tx, ['loop']))
  expect(document.nodes().map(({ id }) => id)).toEqual(['a', 'c'])
  expect(waysOf(document)).toEqual(['a out c'])
})

test('a step whose paths all lead to one step leaves that connection, one with several targets leaves none', () => {
  const choice = {
    nodes: [node('a'), node('if', null, { type: 'if-else' }), node('c'), node('d')],
    edges: [edge('a', 'if'), edge('if', 'c', 'true'), edge('if', 'c', 'false')],
  }
  expect(waysOf(after(choice, (tx) => removeSteps(tx, ['if'])).document)).toEqual(['a out c'])
  const split = { ...choice, edges: [...choice.edges, edge('if', 'd', 'false')] }
  expect(waysOf(after(split, (tx) => removeSteps(tx, ['if'])).document)).toEqual([])
})

test('removed steps are restored at their position', () => {
  const { document, outcome } = after(chain, (tx) => removeSteps(tx, ['b']))
  if (!outcome.ok) throw new Error(outcome.reason)
  for (const patch of outcome.patches.toReversed()) {
    document.apply({ ...patch, before: patch.after, after: patch.before } as typeof patch)
  }
  expect(document.graph()).toEqual(chain)
})

test('connections that make a cycle, cross the border of a Loop or lead into a trigger are refused', () => {
  const way = (source: string, handle = 'out') => ({ source, handle })
  expect(after(chain, (tx) => connect(tx, way('c'), 'a')).reason).toBe('makes_a_cycle')
  expect(after(chain, (tx) => connect(tx, way('c', 'done'), 'a')).reason).toBe('unknown_handle')
  expect(after(looped, (tx) => connect(tx, way('a'), 'y')).reason).toBe('other_level')
  const started = { nodes: [...chain.nodes, node('t', null, { type: 'manual-trigger' })], edges: chain.edges }
  expect(after(started, (tx) => connect(tx, way('c'), 't')).reason).toBe('no_way_in')
  expect(after(chain, (tx) => reconnect(tx, 'b:out:c', 'a')).document.graph()).toEqual(chain)
})

test('a step with a successor is not connected to the successor of its place', () => {
  const graph = {
    nodes: [...chain.nodes, node('alone'), node('z')],
    edges: [...chain.edges, edge('alone', 'z')],
  }
  const { document } = after(graph, (tx) => connectBehind(tx, { source: 'a', handle: 'out' }, 'alone'))
  expect(waysOf(document)).toEqual(['a out alone', 'a out b', 'alone out z', 'b out c'])
  const places = placesFor(document, node('alone'), [node('a'), node('z'), node('loop')])
  expect(places.map(({ after: { id }, handles }) => [id, ...handles])).toEqual([
    ['a', 'out'],
    ['loop', 'done'],
  ])
})

test('a step on an edge is between its ends, despite other edges to them', () => {
  const { document } = after(chain, (tx) => insertOnEdge(tx, 'b:out:c', fields('Mid'), never))
  expect(waysOf(document)).toEqual(['a out b', 'b out mid', 'mid out c'])
})

test('a second trigger is connected to the successors of the first one', () => {
  const { document } = after(chain, (tx) =>
    addTrigger(
      tx,
      { type: 'http-request', name: 'Webhook', position: { x: 0, y: 0 }, leadsTo: ['b'] },
      never,
    ),
  )
  expect(waysOf(document)).toEqual(['a out b', 'b out c', 'webhook out b'])
})

test('steps that are wrapped in a Loop become its body, and can be unwrapped', () => {
  const wrapped = after(chain, (tx) => wrapInLoop(tx, ['b'], { type: 'loop', name: 'Each' }, never))
  expect(waysOf(wrapped.document)).toEqual(['a out each', 'each body b', 'each done c'])
  expect(wrapped.document.node('b')?.parentId).toBe('each')
  const unwrapped = after(wrapped.document.graph(), (tx) => unwrapLoop(tx, 'each'))
  expect(waysOf(unwrapped.document)).toEqual(waysOf(chain))
  expect(unwrapped.document.node('b')).toEqual(node('b'))
  expect(after(chain, (tx) => wrapInLoop(tx, ['a', 'c'], { type: 'loop', name: 'L' }, never)).reason).toBe(
    'not_together',
  )
})

test('a step swaps with its predecessor or successor, and connections of one handle are reordered', () => {
  expect(waysOf(after(chain, (tx) => moveInOrder(tx, 'b', 'later')).document)).toEqual(['a out c', 'c out b'])
  expect(after(chain, (tx) => moveInOrder(tx, 'a', 'later')).reason).toBe('nothing_to_move')
  const fork = { nodes: chain.nodes, edges: [edge('a', 'b'), edge('a', 'c')] }
  const { document } = after(fork, (tx) => moveInOrder(tx, 'c', 'earlier'))
  expect(document.edges().map(({ target }) => target)).toEqual(['c', 'b'])
})

test('a step of another type keeps its edges and the settings that fit', () => {
  const graph = {
    nodes: [
      node('a'),
      node('ask', null, { type: 'ai-prompt', name: 'AI Prompt', config: { prompt: 'Hi', odd: 1 } }),
      node('c'),
    ],
    edges: [edge('a', 'ask'), edge('ask', 'c')],
  }
  const { document } = after(graph, (tx) => replaceType(tx, 'ask', 'if-else'))
  expect(document.node('ask')).toMatchObject({ type: 'if-else', name: 'If / Else', config: {} })
  expect(waysOf(document)).toEqual(['a out ask', 'ask true c'])
  expect(after(graph, (tx) => replaceType(tx, 'ask', 'manual-trigger')).reason).toBe('is_trigger')
})

test('the tokens, edges and Loops of a step follow its new id, and other texts do not', () => {
  const reads = {
    rows: [{ name: 'x', value: 'See {{upstream.loop.output.a}}, \\{{ upstream.loop.output }} and loop' }],
  }
  const graph = {
    ...looped,
    nodes: looped.nodes.map((one) => (one.id === 'c' ? { ...one, config: reads } : one)),
  }
  const { document } = after(graph, (tx) => changeId(tx, 'loop', 'each', never))
  expect(document.node('c')?.config).toEqual({
    rows: [{ name: 'x', value: 'See {{upstream.each.output.a}}, \\{{ upstream.loop.output }} and loop' }],
  })
  expect(waysOf(document)).toEqual(['a out each', 'each body x', 'each done c', 'x out y'])
  expect(document.childrenOf('each').map(({ id }) => id)).toEqual(['x', 'y'])
  expect(document.edges().map(({ id }) => id)).toEqual([
    'a:out:each',
    'each:body:x',
    'x:out:y',
    'each:done:c',
  ])
  expect(after(looped, (tx) => changeId(tx, 'a', 'c', never)).reason).toBe('id_taken')
  expect(after(looped, (tx) => changeId(tx, 'a', 'no dots.', never)).reason).toBe('invalid_id')
})

test('copied steps come with their Loops, inner edges and tokens under new ids', () => {
  const reads = {
    config: { rows: [{ name: 'v', value: '{{ upstream.x.output }} {{ upstream.a.output }}' }] },
  }
  const graph = { ...looped, nodes: looped.nodes.map((one) => (one.id === 'y' ? { ...one, ...reads } : one)) }
  const { document } = after(graph, (tx) => duplicate(tx, ['loop'], never))
  expect(document.node('loop-2')).toMatchObject({ name: 'loop 2', parentId: null })
  expect(document.node('y-2')).toMatchObject({
    parentId: 'loop-2',
    config: { rows: [{ name: 'v', value: '{{ upstream.x-2.output }} {{ upstream.a.output }}' }] },
  })
  expect(waysOf(document).filter((way) => way.includes('-2'))).toEqual(['loop-2 body x-2', 'x-2 out y-2'])
  const text = clipboardText(fragmentOf(document, ['loop']))
  const read = readClipboard(text)
  if (!read.ok) throw new Error(read.fault.kind)
  expect(read.fragment.nodes.map(({ id }) => id)).toEqual(['loop', 'x', 'y'])
  const elsewhere = after({ nodes: [], edges: [] }, (tx) => {
    paste(tx, read.fragment, { parentId: null, offset: null }, never)
  })
  expect(elsewhere.document.nodes().map(({ id }) => id)).toEqual(['loop', 'x', 'y'])
})

test('a copy names the agents that another organization may not have, each once', () => {
  const agentId = '11111111-1111-4111-8111-111111111111'
  const ask = (id: string) => node(id, null, { type: 'ai-agent', config: { agentId, message: 'x' } })
  const copied = { nodes: [ask('a'), ask('b')], edges: [] }
  expect(resourcesOf(copied)).toEqual([{ kind: 'agent', id: agentId, steps: ['a', 'b'] }])
  const mapped = withResources(copied, [{ kind: 'agent', id: agentId, replacement: 'other' }])
  expect(mapped.nodes.map(({ config }) => config.agentId)).toEqual(['other', 'other'])
  expect(withResources(copied, [{ kind: 'team', id: agentId, replacement: 'other' }]).nodes).toEqual(
    copied.nodes,
  )
})

test('a text without steps, with too many or with contradictions is refused with the reason', () => {
  const steps = (nodes: unknown, edges: unknown = []) => JSON.stringify({ troupe: 'graph/1', nodes, edges })
  const faultOf = (text: string) => {
    const read = readClipboard(text)
    return read.ok ? null : read.fault
  }
  // The export formats of n8n and Dify: https://docs.n8n.io/workflows/export-import/ and https://docs.dify.ai (app DSL).
  const n8n = JSON.stringify({ nodes: [{ type: 'n8n-nodes-base.set', typeVersion: 3 }], connections: {} })
  for (const foreign of [
    '',
    'hello',
    '{',
    '[]',
    'null',
    n8n,
    'kind: app\nversion: 0.1.5',
    '{"troupe":"graph/2"}',
  ]) {
    expect(faultOf(foreign), foreign).toEqual({ kind: 'foreign' })
  }
  expect(faultOf('x'.repeat(MAX_GRAPH_BYTES + 100))).toEqual({ kind: 'tooLarge' })
  expect(faultOf('['.repeat(100_000))).toEqual({ kind: 'tooLarge' })
  const one = { id: 'a', type: 'edit-fields', name: 'A' }
  expect(faultOf(steps('x'))).toMatchObject({ kind: 'faulty', detail: expect.stringContaining('nodes') })
  expect(faultOf(steps([one, one]))).toMatchObject({ detail: 'the step a exists twice' })
  expect(faultOf(steps([{ ...one, parentId: 'a' }]))).toMatchObject({
    detail: expect.stringContaining('a is inside'),
  })
  const long = steps([{ ...one, config: {} }]).replace('{}', '{"orderId":12345678901234567890}')
  expect(faultOf(long)).toMatchObject({ kind: 'faulty', detail: expect.stringContaining('orderId') })
  const inside = [
    { id: 'l', type: 'loop', name: 'L', parentId: 'm' },
    { id: 'm', type: 'loop', name: 'M', parentId: 'l' },
  ]
  expect(faultOf(steps(inside))).toMatchObject({ detail: 'the step l is inside itself' })
  expect(faultOf(steps([one, { ...one, id: 'b', parentId: 'a' }]))).toMatchObject({
    detail: 'the step b is inside a, which is not a Loop',
  })
  // Omitted steps and types of a later version lose nothing.
  const read = readClipboard(
    steps(
      [
        { ...one, parentId: 'gone' },
        { ...one, id: 'b', type: 'later' },
      ],
      [edge('a', 'gone')],
    ),
  )
  expect(read.ok).toBe(true)
})

test('every draft that can be saved can be copied and pasted as a whole', () => {
  const rows = Array.from({ length: 600 }, () => 'text')
  const full = (text: string) => ({
    nodes: [
      ...Array.from({ length: 900 }, (_, at) => node(`n${at}`, null, { config: { rows } })),
      node('last', null, { config: { text } }),
    ],
    edges: [],
  })
  const room = MAX_GRAPH_BYTES - jsonBytes(full(''))
  expect(room).toBeGreaterThan(0)
  const graph = full('x'.repeat(room))
  expect(jsonBytes(graph)).toBe(MAX_GRAPH_BYTES)
  expect(readClipboard(clipboardText(graph))).toEqual({ ok: true, fragment: graph })
})

test('300 pasted steps are one command and one undo, and 10,000 steps of one name are pasted quickly', () => {
  const many = (count: number) => ({
    nodes: Array.from({ length: count }, (_, at) => node(`n${at}`, null, { name: 'Same' })),
    edges: Array.from({ length: count - 1 }, (_, at) => edge(`n${at}`, `n${at + 1}`)),
  })
  const editor = editorOf(chain)
  const before = editor.graph
  const pasted = editor.run({ label: 'Paste 300 steps', at: 1 }, (tx, isRetired) =>
    paste(tx, many(300), { parentId: null, offset: null }, isRetired),
  )
  expect(pasted.ok).toBe(true)
  expect(editor.graph.nodes).toHaveLength(303)
  expect(new Set(editor.graph.nodes.map(({ name }) => name)).size).toBe(303)
  expect(editor.history.commands).toHaveLength(1)
  editor.undo({ labelOf: (label) => label, at: 2 })
  expect(editor.graph).toEqual(before)
  const start = performance.now()
  const { reason } = after({ nodes: [], edges: [] }, (tx) =>
    paste(tx, many(10_000), { parentId: null, offset: null }, never),
  )
  expect(reason).toBeNull()
  expect(performance.now() - start).toBeLessThan(3_000)
  expect(after(chain, (tx) => paste(tx, many(9_998), { parentId: null, offset: null }, never)).reason).toBe(
    'too_many_steps',
  )
})

test('copies are laid out in an automatic level, and placed beside all steps in a manual one', () => {
  const copied = { nodes: [node('p'), node('q')], edges: [edge('p', 'q')] }
  const into = (graph: typeof chain, fragment = copied) =>
    after(graph, (tx) => paste(tx, fragment, { parentId: null, offset: null }, never)).document
  const laidOut = into(chain)
  expect(isPlaced(laidOut.childrenOf(null).map(({ position }) => position))).toBe(false)
  const twice = after({ nodes: [node('a'), node('b')], edges: [] }, (tx) =>
    duplicate(tx, ['a'], never),
  ).document
  expect(isPlaced(twice.childrenOf(null).map(({ position }) => position))).toBe(false)
  const at = (x: number, y: number) => ({ position: { x, y } })
  const placed = { nodes: [node('a', null, at(8, 16)), node('b', null, at(8, 128))], edges: [] }
  const beside = into(placed)
  expect(beside.node('p')?.position).toEqual({ x: 8 + 208 + 64, y: 16 })
  expect(beside.node('q')?.position).toEqual({ x: 8 + 208 + 64, y: 16 + 112 })
  const byHand = into(placed, {
    ...copied,
    nodes: [node('p', null, at(-5, 900)), node('q', null, at(95, 950))],
  })
  expect(byHand.node('q')?.position).toEqual({ x: 380, y: 66 })
})

test('steps are disabled together, enabled together, and a trigger is not disabled', () => {
  const of = (ids: string[], graph = chain) => after(graph, (tx) => toggleDisabled(tx, ids))
  const both = of(['a', 'b']).document.graph()
  expect(both.nodes.map(({ disabled }) => disabled)).toEqual([true, true, undefined])
  expect(
    of(['b', 'c'], both)
      .document.graph()
      .nodes.map(({ disabled }) => disabled),
  ).toEqual([true, true, true])
  expect(of(['a', 'b'], both).document.graph()).toEqual(chain)
  const started = { ...chain, nodes: [node('t', null, { type: 'manual-trigger' }), ...chain.nodes] }
  expect(of(['t', 'a'], started).reason).toBe('trigger_runs')
  expect(readGraph(both)).toEqual(both)
})

test('steps whose tokens name a removed one, including one in a removed Loop, are found', () => {
  const reads = (id: string, text: string) =>
    node(id, null, { config: { rows: [{ name: 'v', value: text }] } })
  const graph = {
    nodes: [
      ...looped.nodes,
      reads('d', 'x {{ upstream.y.output.total }}'),
      reads('e', '{{ upstream.a.output }}'),
    ],
    edges: looped.edges,
  }
  const { document } = after(graph, () => undefined)
  const names = (...ids: string[]) => tokenReaders(document, ids).map(({ id }) => id)
  expect(names('loop')).toEqual(['d'])
  expect(names('a')).toEqual(['e'])
  expect(names('c')).toEqual([])
  expect(names('y', 'd')).toEqual([])
})

test('applying the difference of two drafts to one yields the other, and equal drafts have none', () => {
  const from = { nodes: [node('a'), node('b')], edges: [edge('a', 'b')] }
  const to = { nodes: [node('a', null, { name: 'A' }), node('c')], edges: [] }
  expect(differenceBetween(from, from)).toEqual([])
  const changed = differenceBetween(from, to).map((patch) => (patch.kind === 'expose' ? 'expose' : patch.id))
  expect(changed.toSorted()).toEqual(['a', 'a:out:b', 'b', 'c'])
  const editor = editorOf(from)
  editor.adopt(differenceBetween(from, to), { label: 'JSON', at: 0 })
  expect(editor.graph).toEqual(to)
  editor.undo({ labelOf: (label) => label, at: 0 })
  expect(editor.graph).toEqual(from)
})

test('a changed order of keys in a setting is a change, because models answer in that order', () => {
  const schema = (...keys: string[]) => ({ schema: Object.fromEntries(keys.map((key) => [key, {}])) })
  const graph = { nodes: [node('a', null, { config: schema('x', 'y') })], edges: [] }
  const put = (config: Record<string, unknown>) => {
    const { outcome } = after(graph, (tx) => tx.putNode({ ...tx.requireNode('a'), config }))
    return outcome.ok ? outcome.patches.length : null
  }
  expect([put(schema('y', 'x')), put(schema('x', 'y'))]).toEqual([1, 0])
})
