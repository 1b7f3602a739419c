import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { type CodeLanguage, lineRem } from './code-language.ts'
import { markdownColours } from './markdown-colours.ts'
import { pageNonce } from './page-nonce.ts'

export interface CodeEditorProps {
  value: string
  onChange(value: string): void
  /** The element that names the editor. */
  labelId: string
  /** The element with its description and errors; null: none. */
  notesId?: string | null
  isInvalid?: boolean
  language?: CodeLanguage
  isReadOnly?: boolean
  placeholder?: string
  minLines?: number
  maxLines?: number
  place?: { readonly line: number } | null
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--info)' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

/** CodeMirror with the builder's look. `Tab` leaves it, as it leaves every other field. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, labelId, notesId = null, isInvalid = false, isReadOnly = false, place = null } = props
  const { language = 'text' } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  latest.current = props
  const readOnly = useRef(new Compartment())
  const languages = useRef(new Compartment())
  const attributes = useRef(new Compartment())

  useEffect(() => {
    if (!host.current) return
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          extensionsOf(latest.current),
          languages.current.of(languageOf(latest.current.language ?? 'text')),
          readOnly.current.of(readOnlyOf(latest.current.isReadOnly ?? false)),
          EditorView.contentAttributes.of({ 'aria-labelledby': labelId, tabindex: '0' }),
          attributes.current.of([]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const text = state.doc.toString()
            if (docChanged && text !== latest.current.value) latest.current.onChange(text)
          }),
        ],
      }),
    })
    view.current = created
    return () => {
      created.destroy()
      view.current = null
    }
  }, [labelId])

  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === value) return
    // Undo covers this user's typing, not external changes such as a colleague's save.
    current.dispatch({
      changes: changeBetween(current.state.doc.toString(), value),
      annotations: Transaction.addToHistory.of(false),
    })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: readOnly.current.reconfigure(readOnlyOf(isReadOnly)) })
  }, [isReadOnly])

  useEffect(() => {
    view.current?.dispatch({ effects: languages.current.reconfigure(languageOf(language)) })
  }, [language])

  // The label is a dependency: a new label creates a new editor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const notes = {
      ...(notesId === null ? {} : { 'aria-describedby': notesId }),
      ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    }
    view.current?.dispatch({
      effects: attributes.current.reconfigure(EditorView.contentAttributes.of(notes)),
    })
  }, [notesId, isInvalid, labelId])

  useEffect(() => {
    const { current } = view
    if (!current || place === null) return
    const { doc } = current.state
    const { from } = doc.line(Math.max(1, Math.min(doc.lines, place.line)))
    current.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    })
    current.focus()
  }, [place])

  return <div ref={host} />
}

/** One change from `before` to `after`: their common beginning and end are kept, and with them the caret. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let same = 0
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same += 1
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}

function readOnlyOf(isReadOnly: boolean): Extension {
  return isReadOnly ? [EditorState.readOnly.of(true)] : []
}

function languageOf(language: CodeLanguage): Extension {
  switch (language) {
    case 'json':
      return [
        lineNumbers(),
        json(),
        bracketMatching(),
        closeBrackets(),
        linter(emptyIsFine),
        syntaxHighlighting(colours),
      ]
    case 'yaml':
      return lineNumbers()
    case 'markdown':
      return markdownColours()
    case 'text':
      return []
    default:
      return language satisfies never
  }
}

function extensionsOf({
  language = 'text',
  placeholder,
  minLines = 6,
  maxLines = 24,
}: CodeEditorProps): Extension {
  const nonce = pageNonce()
  const isCode = language === 'json' || language === 'yaml'
  const line = lineRem(language)
  return [
    nonce === null ? [] : EditorView.cspNonce.of(nonce),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    EditorView.lineWrapping,
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
    placeholder ? placeholderText(placeholder) : [],
    EditorView.theme({
      '&': { color: 'var(--text)', fontSize: language === 'markdown' ? 'var(--text-read)' : 'var(--text-m)' },
      '&.cm-focused': { outline: 'none' },
      '.cm-scroller': {
        minHeight: `${minLines * line}rem`,
        maxHeight: `${maxLines * line}rem`,
        fontFamily: isCode ? 'var(--mono)' : 'var(--font)',
        lineHeight: `${line}rem`,
        overflow: 'auto',
      },
      '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--accent)' },
      '.cm-line': { padding: '0 0.625rem' },
      '.cm-gutters': { border: 'none', background: 'transparent', color: 'var(--muted)' },
      '.cm-cursor': { borderLeftColor: 'var(--accent)' },
      '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
        background: 'color-mix(in srgb, var(--accent) 24%, transparent) !important',
      },
      '.cm-placeholder': { color: 'var(--muted)' },
      '.cm-specialChar': { color: 'var(--warn)' },
      '.cm-tooltip': {
        border: '1px solid var(--line-strong)',
        borderRadius: 'var(--radius)',
        background: 'var(--raised)',
      },
      '.cm-matchingBracket': { background: 'var(--pressed)' },
    }),
  ]
}

/** An empty editor is not invalid JSON: the form decides whether a value is required. */
function emptyIsFine(view: EditorView) {
  return view.state.doc.length === 0 ? [] : jsonParseLinter()(view)
}
