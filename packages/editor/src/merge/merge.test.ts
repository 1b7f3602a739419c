import type { Graph } from '@troupe/graph'
import { expect, test } from 'vitest'
import { connect } from '../commands/connect-steps.ts'
import {
  addLooseStep,
  addStep,
  moveSteps,
  removeSteps,
  renameStep,
  setValue,
  toggleDisabled,
} from '../commands/edit-steps.ts'
import { DraftDocument } from '../document/draft-document.ts'
import { type Transaction, transact } from '../document/transaction.ts'
import type { WorkflowEditor } from '../session/workflow-editor.ts'
import { edge, editorOf, node, waysOf } from '../testing/draft.ts'
import type { StepDecision } from './decide-conflicts.ts'

const graph: Graph = {
  nodes: [
    node('a'),
    node('b', null, { config: { rows: [{ name: 'x', value: '1' }], keepOthers: true } }),
    node('loop'),
    node('inner', 'loop'),
    node('c'),
  ],
  edges: [edge('a', 'b'), edge('b', 'loop'), edge('loop', 'inner', 'body'), edge('loop', 'c', 'done')],
}
const never = () => false
const fields = (name: string) => ({ type: 'edit-fields', name })
const words = { labelOf: (label: string) => `Undo ${label}`, at: 9 }

/** An editor with a change of mine, after their saves have arrived. */
function merged(mine: (tx: Transaction) => unknown, theirs: (tx: Transaction) => unknown) {
  const editor = editorOf(graph)
  edit(editor, mine)
  const told = theySaved(editor, theirs, graph)
  return { editor, told }
}

function edit(editor: WorkflowEditor, command: (tx: Transaction) => unknown): void {
  const outcome = editor.run({ label: 'Edit', at: 1 }, command)
  if (!outcome.ok) throw new Error(outcome.reason)
}

function theySaved(editor: WorkflowEditor, command: (tx: Transaction) => unknown, from: Graph) {
  const document = new DraftDocument(from)
  transact(document, command)
  return editor.receiveDraft({ revision: editor.sync.revision + 1, graph: document.graph() }, { at: 5 })
}

test('different settings of one step are joined without a question', () => {
  const { editor, told } = merged(
    (tx) => setValue(tx, 'b', 'rows.0.value', '2'),
    (tx) => {
      renameStep(tx, 'b', 'Keep')
      setValue(tx, 'b', 'keepOthers', false)
    },
  )
  expect(told).toMatchObject({ conflicts: [], notes: [], nodeIds: ['b'] })
  expect(editor.node('b')).toMatchObject({
    name: 'Keep',
    config: { rows: [{ name: 'x', value: '2' }], keepOthers: false },
  })
})

test('a setting that both changed is a conflict, and nothing is sent before the decision', () => {
  const { editor, told } = merged(
    (tx) => setValue(tx, 'b', 'keepOthers', 'mine'),
    (tx) => setValue(tx, 'b', 'keepOthers', 'theirs'),
  )
  const [conflict] = told.conflicts
  expect(conflict).toMatchObject({
    kind: 'setting',
    nodeId: 'b',
    setting: { path: 'config.keepOthers', base: true, mine: 'mine', theirs: 'theirs' },
  })
  expect(editor.node('b')?.config.keepOthers).toBe('mine')
  editor.dispatch({ kind: 'flush', at: 100_000 })
  expect(editor.takeEffects()).toEqual([])
  editor.decide(
    { choices: new Map([[conflict?.id ?? '', 'theirs']]), copies: [] },
    { label: 'Merge', at: 100_001 },
  )
  expect(editor.node('b')?.config.keepOthers).toBe('theirs')
  editor.undo(words)
  expect(editor.node('b')?.config.keepOthers).toBe('mine')
  editor.dispatch({ kind: 'flush', at: 100_002 })
  expect(editor.takeEffects()).toMatchObject([{ kind: 'send', save: { draftRevision: 2 } }])
})

test('the position of a step is never a conflict', () => {
  const at = (x: number) => (tx: Transaction) => moveSteps(tx, new Map([['b', { x, y: 0 }]]))
  const { editor, told } = merged(at(1), at(2))
  expect(told.conflicts).toEqual([])
  expect(editor.node('b')?.position.x).toBe(1)
})

test('rule 1: a step that both added under one id gets another one, and my tokens and edges follow', () => {
  const { editor, told } = merged(
    (tx) => {
      const id = addStep(tx, { source: 'c', handle: 'out' }, fields('New'), never)
      setValue(tx, 'a', 'rows', [{ name: 'v', value: `{{ upstream.${id}.output }}` }])
    },
    (tx) =>
      addStep(tx, { source: 'c', handle: 'out' }, { ...fields('New'), config: { keepOthers: 1 } }, never),
  )
  expect(told.notes).toContainEqual({ kind: 'idChanged', nodeId: 'new-2', name: 'New' })
  expect(editor.node('new')?.config).toEqual({ keepOthers: 1 })
  expect(editor.node('a')?.config.rows).toEqual([{ name: 'v', value: '{{ upstream.new-2.output }}' }])
  expect(waysOf(editor.graph)).toEqual(expect.arrayContaining(['c out new', 'c out new-2']))
  editor.undo(words)
  expect(editor.node('new-2')).toBeNull()
  expect(editor.node('new')).not.toBeNull()
})

test('rule 2: a name that both took is numbered, mine', () => {
  const { editor, told } = merged(
    (tx) => renameStep(tx, 'a', 'Same'),
    (tx) => renameStep(tx, 'c', 'Same'),
  )
  expect(told.notes).toEqual([{ kind: 'renamed', nodeId: 'a', name: 'Same 2' }])
  expect([editor.node('a')?.name, editor.node('c')?.name]).toEqual(['Same 2', 'Same'])
})

test('rule 3: one connection under two ids is one edge', () => {
  const { editor } = merged(
    (tx) => connect(tx, { source: 'a', handle: 'out' }, 'c'),
    (tx) => tx.putEdge({ ...edge('a', 'c'), id: 'by-hand' }),
  )
  expect(editor.graph.edges.filter(({ source, target }) => source === 'a' && target === 'c')).toEqual([
    { ...edge('a', 'c'), id: 'by-hand' },
  ])
})

test('rule 4: an edge to a step that they removed is dropped and reported; so is theirs to one that I removed', () => {
  const mine = merged(
    (tx) => connect(tx, { source: 'a', handle: 'out' }, 'c'),
    (tx) => removeSteps(tx, ['c']),
  )
  expect(mine.told.notes).toEqual([{ kind: 'edgeDropped', nodeId: 'a', name: 'a' }])
  expect(waysOf(mine.editor.graph)).not.toContain('a out c')
  const theirs = merged(
    (tx) => removeSteps(tx, ['c']),
    (tx) => connect(tx, { source: 'a', handle: 'out' }, 'c'),
  )
  expect(waysOf(theirs.editor.graph)).not.toContain('a out c')
  expect(theirs.told.notes).toEqual([{ kind: 'edgeDropped', nodeId: 'a', name: 'a' }])
})

test('rule 5: a step that I put into a Loop that they removed leaves it; so does theirs in one that I removed', () => {
  const add = (tx: Transaction) =>
    addLooseStep(tx, { ...fields('Extra'), parentId: 'loop', position: { x: 0, y: 0 } }, never)
  const mine = merged(add, (tx) => removeSteps(tx, ['loop']))
  expect(mine.editor.node('extra')?.parentId).toBeNull()
  expect(mine.told.notes).toContainEqual({ kind: 'movedOut', nodeId: 'extra', name: 'Extra' })
  const theirs = merged((tx) => removeSteps(tx, ['loop']), add)
  expect(theirs.editor.node('extra')?.parentId).toBeNull()
})

test('a step that I changed and they removed is a conflict, and stays with its edges in the meantime', () => {
  const { editor, told } = merged(
    (tx) => setValue(tx, 'b', 'keepOthers', false),
    (tx) => removeSteps(tx, ['b']),
  )
  expect(told.conflicts).toMatchObject([{ kind: 'removedByThem', nodeId: 'b' }])
  expect(waysOf(editor.graph)).toEqual(expect.arrayContaining(['a out b', 'b out loop']))
  editor.decide(
    { choices: new Map([[told.conflicts[0]?.id ?? '', 'theirs']]), copies: [] },
    { label: 'Merge', at: 6 },
  )
  expect(editor.node('b')).toBeNull()
})

test('a step that I removed and they changed is a conflict', () => {
  const { editor, told } = merged(
    (tx) => removeSteps(tx, ['b']),
    (tx) => renameStep(tx, 'b', 'Theirs'),
  )
  expect(told.conflicts).toMatchObject([{ kind: 'removedByMe', nodeId: 'b' }])
  expect(editor.node('b')).toBeNull()
  editor.decide(
    { choices: new Map([[told.conflicts[0]?.id ?? '', 'theirs']]), copies: [] },
    { label: 'Merge', at: 6 },
  )
  expect(editor.node('b')?.name).toBe('Theirs')
})

test('an undo after the save of a colleague reverts what they did not change, and reports the rest', () => {
  const editor = editorOf(graph)
  edit(editor, (tx) => {
    setValue(tx, 'b', 'keepOthers', 'mine')
    renameStep(tx, 'b', 'Mine')
  })
  editor.dispatch({ kind: 'flush', at: 2 })
  editor.dispatch({ kind: 'saved', changeId: 'save 1', revision: 2, savedAt: '', at: 3 })
  theySaved(editor, (tx) => renameStep(tx, 'c', 'Theirs'), editor.graph)
  const now = editor.graph
  theySaved(editor, (tx) => setValue(tx, 'b', 'keepOthers', 'theirs'), now)
  const taken = editor.undo(words)
  expect(taken?.left).toEqual([{ kind: 'node', id: 'b', paths: ['config.keepOthers'] }])
  expect(editor.node('b')).toMatchObject({ name: 'b', config: { keepOthers: 'theirs' } })
  expect(editor.node('c')?.name).toBe('Theirs')
})

test('a specific command is undone regardless of later ones, as a separate change', () => {
  const editor = editorOf(graph)
  edit(editor, (tx) => removeSteps(tx, ['b']))
  const number = editor.history.commands[0]?.number ?? 0
  edit(editor, (tx) => renameStep(tx, 'c', 'Later'))
  expect(editor.takeBack(number, words)).toMatchObject({ left: [], isChanged: true })
  expect(waysOf(editor.graph)).toEqual(expect.arrayContaining(['a out b', 'b out loop']))
  expect(editor.node('c')?.name).toBe('Later')
  editor.undo(words)
  expect(editor.node('b')).toBeNull()
})

test('a step that I disable and they rename is both', () => {
  const { editor, told } = merged(
    (tx) => toggleDisabled(tx, ['b']),
    (tx) => renameStep(tx, 'b', 'Renamed'),
  )
  expect(told.conflicts).toEqual([])
  expect(editor.node('b')).toMatchObject({ name: 'Renamed', disabled: true })
  const other = merged(
    (tx) => renameStep(tx, 'b', 'Mine'),
    (tx) => toggleDisabled(tx, ['b']),
  )
  expect(other.editor.node('b')).toMatchObject({ name: 'Mine', disabled: true })
})

const row = (name: string, value: string) => ({ name, value })
const rowsOf = (editor: WorkflowEditor, id = 'b') => editor.node(id)?.config.rows
const setRows =
  (...rows: object[]) =>
  (tx: Transaction) =>
    setValue(tx, 'b', 'rows', rows)

/** The rows of both after a common state. */
function mergedRows(before: object[], mine: object[], theirs: object[]) {
  const from: Graph = {
    ...graph,
    nodes: graph.nodes.map((one) => (one.id === 'b' ? { ...one, config: { rows: before } } : one)),
  }
  const editor = editorOf(from)
  edit(editor, setRows(...mine))
  const { conflicts } = theySaved(editor, setRows(...theirs), from)
  const decide = (decisions: Record<string, StepDecision>, copies: string[] = []) => {
    const choices = conflicts.map(
      ({ id, setting }) => [id, decisions[setting?.path ?? ''] ?? 'mine'] as const,
    )
    return editor.decide({ choices: new Map(choices), copies }, { label: 'Merge', at: 6 })
  }
  return { editor, decide, paths: conflicts.map(({ setting }) => setting?.path) }
}

test('a third value is written instead of both, beside items that are removed by another decision', () => {
  const { editor, decide, paths } = mergedRows(
    [row('a', '1'), row('b', '1'), row('c', '1')],
    [row('a', 'mine'), row('b', '1'), row('c', 'mine')],
    [row('b', '1'), row('c', 'theirs')],
  )
  expect(paths).toEqual(['config.rows.0', 'config.rows.2.value'])
  decide({ 'config.rows.0': 'theirs', 'config.rows.2.value': { value: 'third' } })
  expect(rowsOf(editor)).toEqual([row('b', '1'), row('c', 'third')])
  editor.undo(words)
  expect(rowsOf(editor)).toEqual([row('a', 'mine'), row('b', '1'), row('c', 'mine')])
})

test('their order is taken without losing the items that either of us added', () => {
  const { editor, decide, paths } = mergedRows(
    [row('a', '1'), row('b', '1'), row('c', '1')],
    [row('b', '1'), row('a', '1'), row('c', '1'), row('mine', '1')],
    [row('c', '1'), row('a', '1'), row('b', '1'), row('theirs', '1')],
  )
  expect(paths).toEqual(['config.rows'])
  decide({ 'config.rows': 'theirs' })
  const names = (rowsOf(editor) as { name: string }[]).map(({ name }) => name)
  expect(names.filter((name) => name.length === 1)).toEqual(['c', 'a', 'b'])
  expect(names.toSorted()).toEqual(['a', 'b', 'c', 'mine', 'theirs'])
})

test('mine is kept as a copy that is connected to nothing, with the name that became free', () => {
  const { editor, told } = merged(
    (tx) => {
      renameStep(tx, 'b', 'Mine')
      setValue(tx, 'b', 'keepOthers', 'mine')
    },
    (tx) => {
      renameStep(tx, 'b', 'Theirs')
      setValue(tx, 'b', 'keepOthers', 'theirs')
    },
  )
  const choices = new Map(told.conflicts.map(({ id }) => [id, 'theirs'] as const))
  expect(editor.decide({ choices, copies: ['b'] }, { label: 'Merge', at: 6 }).ok).toBe(true)
  expect(editor.node('b')).toMatchObject({ name: 'Theirs', config: { keepOthers: 'theirs' } })
  const copy = editor.graph.nodes.find(({ name }) => name === 'Mine')
  expect(copy).toMatchObject({ parentId: null, config: { keepOthers: 'mine' } })
  expect(
    editor.graph.edges.filter(({ source, target }) => [source, target].includes(copy?.id ?? '')),
  ).toEqual([])
  expect(editor.sync.conflicts).toEqual([])
  editor.undo(words)
  expect(editor.node('b')).toMatchObject({ name: 'Mine', config: { keepOthers: 'mine' } })
  expect(editor.graph.nodes).toHaveLength(graph.nodes.length)
})
