import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { markdownColours } from './markdown-colours.ts'

/** The coloured parts of a document, as `class text`. */
function coloured(state: EditorState): string[] {
  const found: string[] = []
  for (const set of state.facet(EditorView.decorations)) {
    if (typeof set === 'function') continue
    set.between(0, state.doc.length, (from, to, { spec }) => {
      found.push(`${String(spec.class).replace('cm-markdown-', '')} ${state.sliceDoc(from, to)}`)
    })
  }
  return found
}

const stateOf = (doc: string) => EditorState.create({ doc, extensions: markdownColours() })

test('a document is coloured, and again after each change', () => {
  const state = stateOf('# Who you are\n**be** polite')
  expect(coloured(state)).toEqual(['heading # Who you are', 'strong **be**'])
  const { from } = state.doc.line(2)
  const next = state.update({ changes: { from, to: state.doc.length, insert: '- call `search`' } }).state
  expect(coloured(next)).toEqual(['heading # Who you are', 'sign - ', 'code `search`'])
})

test('a very long document stays plain', () => {
  expect(coloured(stateOf('# a\n'.repeat(60_000)))).toEqual([])
})
