import { expect, test } from 'vitest'
import { moveSteps, setValue } from '../commands/edit-steps.ts'
import { edge, editorOf, node } from '../testing/draft.ts'

const graph = { nodes: [node('a'), node('b')], edges: [edge('a', 'b')] }
const words = { labelOf: (label: string) => label, at: 0 }
const typing = { key: 'type a', isHeld: false }
const drag = { key: 'drag 1', isHeld: true }

test('typing into one field is one command until it rests for a second, or is ended', () => {
  const editor = editorOf(graph)
  const type = (text: string, at: number) =>
    editor.run({ label: 'Type', at, gesture: typing }, (tx) => setValue(tx, 'a', 'text', text))
  type('h', 0)
  type('hi', 900)
  type('hi!', 2_000)
  expect(editor.history.commands).toHaveLength(2)
  editor.endGesture()
  type('hi!!', 2_100)
  expect(editor.history.commands).toHaveLength(3)
  editor.undo(words)
  editor.undo(words)
  expect(editor.node('a')?.config.text).toBe('hi')
})

test('a drag is one command however long it takes, and none when it ends where it began', () => {
  const editor = editorOf(graph)
  const to = (x: number, at: number) =>
    editor.run({ label: 'Move', at, gesture: drag }, (tx) => moveSteps(tx, new Map([['a', { x, y: 0 }]])))
  to(10, 0)
  to(20, 60_000)
  expect(editor.history.commands).toHaveLength(1)
  to(0, 60_100)
  expect(editor.history.commands).toHaveLength(0)
})

test('a new change clears the redo history, and only the last 500 commands are kept', () => {
  const editor = editorOf(graph)
  const set = (n: number) => editor.run({ label: `Set ${n}`, at: n }, (tx) => setValue(tx, 'a', 'n', n))
  for (let n = 1; n <= 510; n += 1) set(n)
  expect(editor.history.commands).toHaveLength(500)
  editor.undo(words)
  set(511)
  expect(editor.redo(words)).toBeNull()
  expect(editor.history.commands.at(0)?.label).toBe('Set 11')
  for (let n = 0; n < 500; n += 1) editor.undo(words)
  expect(editor.undo(words)).toBeNull()
  expect(editor.node('a')?.config.n).toBe(10)
})
