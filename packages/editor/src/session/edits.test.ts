import type { Graph } from '@troupe/graph'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceBetween } from '../commands/difference-between.ts'
import { changeId, moveSteps, setValue } from '../commands/edit-steps.ts'
import { DraftDocument } from '../document/draft-document.ts'
import { coalesce, inverse, type Patch } from '../document/patch.ts'
import { transact } from '../document/transaction.ts'
import { changesOf } from '../sync/draft-changes.ts'
import { firstGraph, makeEdit, randomEdit } from '../testing/random-edits.ts'
import { WorkflowEditor } from './workflow-editor.ts'

const RUNS = { numRuns: 150 }
const edits = fc.array(randomEdit, { maxLength: 40 })
const words = { labelOf: (label: string) => `Undo ${label}`, at: 0 }

function editorOf(graph: Graph) {
  let saves = 0
  return new WorkflowEditor(
    { revision: 1, graph },
    {
      newChangeId: () => {
        saves += 1
        return `save ${saves}`
      },
    },
  )
}

test('every command can be undone and redone', () => {
  fc.assert(
    fc.property(edits, (list) => {
      const document = new DraftDocument(firstGraph())
      const all: Patch[] = []
      for (const edit of list) {
        const before = document.graph()
        const outcome = transact(document, (tx) => makeEdit(tx, edit, () => false))
        const after = document.graph()
        if (!outcome.ok) {
          expect(after).toEqual(before)
          continue
        }
        for (const patch of inverse(outcome.patches)) document.apply(patch)
        expect(document.graph()).toEqual(before)
        for (const patch of outcome.patches) document.apply(patch)
        expect(document.graph()).toEqual(after)
        all.push(...outcome.patches)
      }
      const last = document.graph()
      const few = coalesce(all)
      for (const patch of inverse(few)) document.apply(patch)
      expect(document.graph()).toEqual(firstGraph())
      for (const patch of few) document.apply(patch)
      expect(document.graph()).toEqual(last)
    }),
    RUNS,
  )
})

test('the indexes match the lists, in their order', () => {
  fc.assert(
    fc.property(edits, (list) => {
      const document = new DraftDocument(firstGraph())
      for (const edit of list) transact(document, (tx) => makeEdit(tx, edit, () => false))
      const { nodes, edges } = document.graph()
      const ids = (parts: readonly { id: string }[]) => parts.map(({ id }) => id)
      for (const { id, name } of nodes) {
        expect(ids(document.childrenOf(id))).toEqual(ids(nodes.filter(({ parentId }) => parentId === id)))
        expect(ids(document.edgesFrom(id))).toEqual(ids(edges.filter(({ source }) => source === id)))
        expect(ids(document.edgesTo(id))).toEqual(ids(edges.filter(({ target }) => target === id)))
        expect(document.named(name)).toEqual(ids(nodes.filter((node) => node.name === name)))
      }
    }),
    RUNS,
  )
})

test('commands leave no edge without its steps, no duplicate connection and no step in a removed Loop', () => {
  fc.assert(
    fc.property(edits, (list) => {
      const document = new DraftDocument(firstGraph())
      const structural = list.filter(({ kind }) => kind !== 'replace')
      for (const edit of structural) transact(document, (tx) => makeEdit(tx, edit, () => false))
      const { nodes, edges } = document.graph()
      for (const { source, target } of edges) {
        expect(document.node(source), source).not.toBeNull()
        expect(document.node(target), target).not.toBeNull()
      }
      const ways = edges.map(({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`)
      expect(new Set(ways).size).toBe(ways.length)
      for (const { parentId } of nodes) if (parentId !== null) expect(document.node(parentId)).not.toBeNull()
    }),
    RUNS,
  )
})

test('undoing everything restores the first draft, and redoing everything the last one', () => {
  fc.assert(
    fc.property(edits, (list) => {
      const editor = editorOf(firstGraph())
      for (const [at, edit] of list.entries()) {
        editor.run({ label: edit.kind, at }, (tx, isRetired) => makeEdit(tx, edit, isRetired))
      }
      const last = editor.graph
      const count = editor.history.done
      for (let n = 0; n < count; n += 1) expect(editor.undo(words)?.left).toEqual([])
      expect(editor.graph).toEqual(firstGraph())
      for (let n = 0; n < count; n += 1) expect(editor.redo(words)?.left).toEqual([])
      expect(editor.graph).toEqual(last)
    }),
    RUNS,
  )
})

test('the id of a removed step is not reused', () => {
  const editor = editorOf(firstGraph())
  const add = () =>
    editor.run({ label: 'Add', at: 0 }, (tx, isRetired) =>
      makeEdit(tx, { kind: 'add', a: 1, b: 0, c: 0 }, isRetired),
    )
  add()
  expect(editor.node('ask-2')?.name).toBe('Ask')
  editor.run({ label: 'Remove', at: 1 }, (tx, isRetired) =>
    makeEdit(tx, { kind: 'remove', a: 6, b: 0, c: 1 }, isRetired),
  )
  expect(editor.node('ask-2')).toBeNull()
  add()
  expect(editor.node('ask-2')).toBeNull()
  expect(editor.node('ask-3')?.name).toBe('Ask')
})

test('a save is at most 1 KB larger than the steps that it changes, however large the draft is', () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `step-${at}`)
  const nodes = ids.map((id) => ({
    ...{ id, type: 'ai-prompt', name: id, parentId: null, position: { x: 0, y: 0 } },
    config: { prompt: 'Summarise.' },
  }))
  const edges = ids.slice(1).map((target, at) => ({
    ...{ id: `${ids[at]}:out:${target}`, source: ids[at] ?? '', sourceHandle: 'out', target },
  }))
  const editor = editorOf({ nodes, edges })
  editor.run({ label: 'Type', at: 0 }, (tx) => setValue(tx, 'step-2500', 'prompt', 'x'.repeat(5_000)))
  editor.run({ label: 'Move', at: 0 }, (tx) => moveSteps(tx, new Map([['step-7', { x: 1, y: 2 }]])))
  editor.dispatch({ kind: 'flush', at: 0 })
  const [effect] = editor.takeEffects()
  const save = effect?.kind === 'send' ? effect.save : null
  const { changeId = '', draftRevision = 0, gesture = '' } = save ?? {}
  const changes = save === null ? [] : changesOf(save)
  const sent = JSON.stringify({ changeId, draftRevision, gesture, changes })
  const changed = [editor.node('step-2500'), editor.node('step-7')]
  expect(changes).toHaveLength(2)
  expect(sent.length).toBeLessThanOrEqual(JSON.stringify(changed).length + 1_024)
})

test('a replaced draft is one command, which an undo reverts', () => {
  const graphOf = (list: Parameters<typeof makeEdit>[1][]) => {
    const document = new DraftDocument(firstGraph())
    for (const edit of list) transact(document, (tx) => makeEdit(tx, edit, () => false))
    return document.graph()
  }
  fc.assert(
    fc.property(edits, edits, edits, (first, second, third) => {
      const [before, between, after] = [graphOf(first), graphOf(second), graphOf(third)]
      fc.pre(differenceBetween(before, between).length > 0)
      fc.pre(differenceBetween(between, after).length > 0)
      const editor = editorOf(before)
      editor.replace(between, { label: 'Restore version 1', at: 1 })
      editor.replace(after, { label: 'Restore version 2', at: 2 })
      expect(editor.history.commands).toHaveLength(2)
      const last = editor.history.commands[1]?.number ?? 0
      expect(editor.takeBack(last, words)).toMatchObject({ left: [], isChanged: true })
      expect(editor.graph).toEqual(between)
      expect(editor.takeBack(last, words)).toBeNull()
      editor.undo(words)
      expect(editor.graph).toEqual(before)
    }),
    RUNS,
  )
})

test('a save reports which new step is a previous one with another id, even after an undo, a merge and a reload', () => {
  const step = (id: string) => ({
    ...{ id, type: 'edit-fields', name: id, parentId: null, position: { x: 0, y: 0 }, config: {} },
  })
  const graph = { nodes: [step('a'), step('z')], edges: [] }
  const rename = (editor: WorkflowEditor, id: string, newId: string) =>
    editor.run({ label: 'Id', at: 0 }, (tx) => changeId(tx, id, newId, () => false))
  const sent = (editor: WorkflowEditor): [string, string][] => {
    editor.dispatch({ kind: 'flush', at: 0 })
    const save = editor.takeEffects().flatMap((one) => (one.kind === 'send' ? one.save : []))[0]
    if (!save) return []
    editor.dispatch({ kind: 'saved', changeId: save.changeId, revision: 2, savedAt: '', at: 0 })
    const renamed = changesOf(save).flatMap((change): [string, string][] =>
      'put' in change && 'node' in change.put && change.put.formerId !== undefined
        ? [[change.put.formerId, change.put.node.id]]
        : [],
    )
    // As on the server: a step that was added and removed in one save has no other id.
    return renamed.filter(([from, to]) => editor.node(from) === null && editor.node(to) !== null)
  }
  const editor = editorOf(graph)
  rename(editor, 'a', 'b')
  editor.run({ label: 'Type', at: 0 }, (tx) => setValue(tx, 'b', 'x', 1))
  rename(editor, 'b', 'c')
  rename(editor, 'c', 'd')
  expect(sent(editor)).toEqual([['a', 'd']])
  editor.undo(words)
  expect(sent(editor)).toEqual([['d', 'c']])
  editor.redo(words)
  editor.undo(words)
  expect(sent(editor)).toEqual([])
  editor.undo(words)
  editor.undo(words)
  editor.undo(words)
  expect(sent(editor)).toEqual([['c', 'a']])
  rename(editor, 'a', 'c')
  expect(sent(editor)).toEqual([['a', 'c']])
  rename(editor, 'c', 'e')
  const changes = [{ put: { node: { ...step('z'), name: 'Theirs' } } }]
  editor.receive([{ changeId: 'theirs', changes }], { revision: 3, at: 0 })
  const reloaded = editorOf(editor.graph)
  reloaded.resume(JSON.parse(JSON.stringify({ ...editor.kept(), revision: 1 })), { at: 0 })
  expect(sent(reloaded)).toEqual([['c', 'e']])
  expect(sent(editor)).toEqual([['c', 'e']])
  const copied = editorOf(graph)
  copied.run({ label: 'Copy', at: 0 }, (tx) => {
    tx.removeNode('a')
    tx.putNode(step('copy'))
  })
  expect(sent(copied)).toEqual([])
})
