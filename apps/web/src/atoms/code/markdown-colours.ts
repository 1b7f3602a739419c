import { type EditorState, type Extension, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { type MarkKind, markdownMarks } from '../../core/markdown/marks.ts'

/** Longer texts are not highlighted, so that typing stays fast. */
const LONGEST = 200_000

const MARKS: Readonly<Record<MarkKind, Decoration>> = {
  heading: Decoration.mark({ class: 'cm-markdown-heading' }),
  code: Decoration.mark({ class: 'cm-markdown-code' }),
  strong: Decoration.mark({ class: 'cm-markdown-strong' }),
  emphasis: Decoration.mark({ class: 'cm-markdown-emphasis' }),
  link: Decoration.mark({ class: 'cm-markdown-link' }),
  sign: Decoration.mark({ class: 'cm-markdown-sign' }),
}

function decorationsOf({ doc }: EditorState): DecorationSet {
  if (doc.length > LONGEST) return Decoration.none
  const marks = markdownMarks(doc.toString())
  return Decoration.set(
    marks.map(({ kind, from, to }) => MARKS[kind].range(from, to)),
    true,
  )
}

const field = StateField.define<DecorationSet>({
  create: decorationsOf,
  update: (former, { docChanged, state }) => (docChanged ? decorationsOf(state) : former),
  provide: (own) => EditorView.decorations.from(own),
})

/** Highlights Markdown with a small parser: the grammar packages weigh 45 KB. */
export function markdownColours(): Extension {
  return [
    field,
    EditorView.theme({
      '.cm-markdown-heading': { fontWeight: '600' },
      '.cm-markdown-strong': { fontWeight: '600' },
      '.cm-markdown-emphasis': { fontStyle: 'italic' },
      '.cm-markdown-code': { fontFamily: 'var(--mono)', color: 'var(--good)' },
      '.cm-markdown-link': { color: 'var(--accent)' },
      '.cm-markdown-sign': { color: 'var(--muted)' },
    }),
  ]
}
