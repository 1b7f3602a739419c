import { setValue } from '@troupe/editor/commands/edit-steps'
import { editorOf, node } from '@troupe/editor/testing/draft'
import { beforeEach, expect, test } from 'vitest'
import { type EditStorage, KeptDraft } from './kept-edits.ts'

const values = new Map<string, unknown>()
const written: string[] = []
/** The browser's storage as a map: only the contents and number of writes matter here. */
const storage: EditStorage = {
  read: async (key) => structuredClone(values.get(key)),
  write: async (key, value) => {
    written.push(key)
    values.set(key, structuredClone(value))
  },
  remove: async (key) => void values.delete(key),
  keysBelow: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  edit: async (place) => structuredClone(values.get(place)),
  editsBelow: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  keepEdit: async (place, { value }) => {
    values.set(place, structuredClone(value))
    return true
  },
  forgetEdit: (place) => void values.delete(place),
}

beforeEach(() => {
  values.clear()
  written.length = 0
})

const place = ['ana', 'acme', 'w1', storage] as const
const graph = { nodes: [node('a'), node('b')], edges: [] }
/** An editor with the given number of typed texts, each a command. */
function typed(times: number) {
  const editor = editorOf(graph)
  for (let at = 0; at < times; at += 1) {
    editor.run({ label: `Type ${at}`, at }, (tx) => setValue(tx, 'a', `key${at}`, 'text'))
  }
  return editor
}

test('a change of a long history writes its own command, and a reload finds all of them', async () => {
  const kept = new KeptDraft(...place)
  const editor = typed(400)
  await kept.keepHistory('tab', editor.kept().history)
  written.length = 0
  editor.run({ label: 'One more', at: 9_999 }, (tx) => setValue(tx, 'b', 'key', 'text'))
  await kept.keepHistory('tab', editor.kept().history)
  expect(written).toEqual(['history/ana/acme/w1/tab/command/401', 'history/ana/acme/w1/tab'])
  expect(await new KeptDraft(...place).history('tab')).toEqual(editor.kept().history)
})

test('an undone and replaced change is deleted, and a history without its beginning keeps its end', async () => {
  const kept = new KeptDraft(...place)
  const editor = typed(5)
  await kept.keepHistory('tab', editor.kept().history)
  editor.undo({ labelOf: (label) => label, at: 10 })
  editor.run({ label: 'Instead', at: 11 }, (tx) => setValue(tx, 'b', 'key', 'text'))
  await kept.keepHistory('tab', editor.kept().history)
  expect(values.has('history/ana/acme/w1/tab/command/5')).toBe(false)
  values.delete('history/ana/acme/w1/tab/command/2')
  const found = await new KeptDraft(...place).history('tab')
  expect(found?.commands.map(({ label }) => label)).toEqual(['Type 2', 'Type 3', 'Instead'])
  expect(found?.done).toBe(3)
})

test('the history of a build that stored it as one value is read, without a save of unknown outcome', async () => {
  const { history } = typed(2).kept()
  values.set('history/ana/acme/w1/tab', history)
  expect(await new KeptDraft(...place).history('tab')).toEqual(history)
  const before = { ...history, commands: history.commands.slice(0, 1), done: 1 }
  values.set('history/ana/acme/w1/tab', { ...history, unsure: { changeId: 'c', since: 1, before } })
  expect(await new KeptDraft(...place).history('tab')).toEqual(before)
})

test('unsaved changes of a tab are stored by tab, and deleted when they are saved', async () => {
  const kept = new KeptDraft(...place)
  const editor = typed(1)
  await kept.keepEdits('tab', editor.kept())
  const [found] = await kept.edits()
  expect(found).toMatchObject({ tab: 'tab', edits: { revision: 1, queued: [{ id: 'a' }] } })
  values.set('draft/ana/acme/workflow/w1/edits/odd', { queued: 'x' })
  expect(await kept.edits()).toHaveLength(1)
  await kept.keepEdits('tab', { ...editor.kept(), queued: [] })
  expect(await kept.edits()).toEqual([])
})

test('edits of an unknown form are counted, survive writes of this tab, and are read by a build that knows them', async () => {
  const edits = 'draft/ana/acme/workflow/w1/edits/'
  const newer = { schema: 2, revision: 7, changes: [{ set: ['a', 'text', 'of a newer build'] }] }
  values.set(`${edits}tab`, newer)
  values.set(`${edits}gone`, newer)
  const kept = new KeptDraft(...place)
  expect(await kept.countUnread('tab', 'other')).toBe(2)
  expect(await kept.edits()).toEqual([])
  const editor = typed(1)
  await kept.keepEdits('tab', editor.kept())
  // This tab no longer has unreadable edits; those that it found are still reported.
  expect(await kept.countUnread('tab', 'third')).toBe(2)
  await kept.keepEdits('tab', { ...editor.kept(), queued: [] })
  expect([values.get(`${edits}other`), values.get(`${edits}gone`)]).toEqual([newer, newer])
  // Edits in the current format, as the newer build finds them.
  await kept.keepEdits('tab', editor.kept())
  expect(await kept.edits()).toMatchObject([{ tab: 'tab', edits: { queued: [{ id: 'a' }] } }])
})

test('an edit of a step by a build without autosave is a change; half a JSON and a number that would be rounded stay in their steps', async () => {
  const from = JSON.stringify(node('a'))
  const edit = { name: 'Typed before', config: '{"x":1}', from }
  values.set('draft/ana/acme/workflow/w1/node/a', edit)
  values.set('draft/ana/acme/workflow/w1/node/b', { ...edit, config: '{"x":' })
  // JSON.parse would make it 12345678901234567000.
  const long = { ...edit, config: '{"x":12345678901234567890}', from: JSON.stringify(node('c')) }
  values.set('draft/ana/acme/workflow/w1/node/c', long)
  const kept = new KeptDraft(...place)
  expect(await kept.stepEdits()).toMatchObject([
    { nodeId: 'a', patch: { before: { name: 'a' }, after: { name: 'Typed before', config: { x: 1 } } } },
  ])
  kept.forgetStepEdit('a')
  expect(await kept.stepEdits()).toEqual([])
  expect(values.get('draft/ana/acme/workflow/w1/node/c')).toEqual(long)
})
