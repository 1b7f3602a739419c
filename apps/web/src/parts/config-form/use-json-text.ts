import { isJsonObject } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import { mergeValues } from '@troupe/editor/values/merge-contents'
import { useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { readTypedJson } from '../../core/forms/typed-json.ts'
import { noteUnreadText, onUnreadForgotten } from '../../core/forms/unread-texts.ts'
import { formWords } from '../../core/messages/en/agents/config-form.ts'
import type { TextKeeper } from '../unsaved/use-kept-texts.ts'
import { KeeperOfTexts } from './keeper-of-texts.ts'

export interface JsonTextSettings {
  /** The identity of the edited value; a new one resets the text. */
  id: string
  label: string
  value: unknown
  /** Called with every valid JSON text; undefined for an empty one. */
  onChange(value: unknown): void
  /** Called with an unparsable text; null: the text is valid again. */
  onUnread?(text: string | null): void
  /** The storage of an unparsable text; absent: that of the form, or only the page. */
  keeper?: TextKeeper | undefined
  /** Anything but an object, or an empty text, is a fault. */
  isObject?: boolean
  /** A text that does not start as a JSON object is itself the value, such as a document in YAML. */
  takesText?: boolean
}

export interface JsonText {
  text: string
  /** The parse error; null: valid. */
  fault: string | null
  edit(text: string): void
}

/**
 * A value as JSON text. While it is invalid, the last valid value applies; changes elsewhere do not replace the text, and are merged with
 * it when it is valid again.
 */
export function useJsonText(settings: JsonTextSettings): JsonText {
  const { id, label, value, onChange, onUnread, isObject = false, takesText = false } = settings
  const keeperOf = useContext(KeeperOfTexts)
  const keeper = settings.keeper ?? keeperOf?.(id)
  const textOf = takesText ? documentText : jsonText
  const [text, setText] = useState(() => keeper?.kept?.text ?? textOf(value))
  const isStored = takesText && text === value
  const parsed = useMemo(
    (): ReadValue => (isStored ? { ok: true, value: text } : readValue(text, isObject, takesText)),
    [isStored, text, isObject, takesText],
  )
  const fault = parsed.ok ? null : parsed.fault
  const unread = parsed.ok ? null : text
  /** The base of the text, or its parsed value. */
  const written = useRef(keeper?.kept ? keeper.kept.from : value)
  useNotedUnread(unread, label, keeper !== undefined, onUnread)
  const show = (next: string, from: unknown) => {
    written.current = from
    setText(next)
  }
  useKeptText(id, unread, keeper, {
    adopt: ({ text, from }) => show(text, from),
    reset: () => show(textOf(value), value),
  })

  useEffect(() => {
    // An external change, such as a discarded edit, replaces the text; local input keeps its spacing.
    if (unread !== null || isSameJson(value, written.current)) return
    written.current = value
    setText(textOf(value))
  }, [value, unread, textOf])

  useEffect(
    () =>
      onUnreadForgotten(() => {
        if (unread === null) return
        written.current = value
        setText(textOf(value))
      }),
    [unread, value, textOf],
  )

  const edit = (next: string) => {
    setText(next)
    const read = readValue(next, isObject, takesText)
    const before = written.current
    if (!read.ok) return keeper?.keep({ text: next, from: before, label })
    if (unread !== null) keeper?.forget(unread)
    written.current = read.value
    if (unread === null) return onChange(read.value)
    const merged = mergeValues(before, read.value, value)
    // The external change is below the earlier text: the user must be informed, but cannot be asked while
    // typing.
    if (merged.isContested)
      showNotice({ title: formWords.contested(label), detail: formWords.contestedDetail })
    onChange(merged.value)
  }
  return { text, fault, edit }
}

/** Notifies the containers of a field about an unparsable text; the page only if it is not stored. */
function useNotedUnread(
  unread: string | null,
  label: string,
  isKept: boolean,
  onUnread: JsonTextSettings['onUnread'],
): void {
  const key = useId()
  const report = useRef(onUnread)
  report.current = onUnread
  const noted = unread === null || isKept ? null : label
  useEffect(() => {
    noteUnreadText(key, noted)
    return () => noteUnreadText(key, null)
  }, [key, noted])
  useEffect(() => {
    if (unread === null) return
    report.current?.(unread)
    return () => report.current?.(null)
  }, [unread])
}

interface KeptTextUse {
  /** Shows the stored text. */
  adopt(kept: NonNullable<TextKeeper['kept']>): void
  /** Shows the value again. */
  reset(): void
}

/**
 * A stored text appears when the storage was read or another tab typed it, disappears when the edit is discarded, and moves with
 * its field's item.
 */
function useKeptText(
  id: string,
  unread: string | null,
  keeper: TextKeeper | undefined,
  { adopt, reset }: KeptTextUse,
): void {
  const before = useRef({ id, keeper })
  useEffect(() => {
    const former = before.current
    before.current = { id, keeper }
    const [was, kept] = [former.keeper?.kept ?? null, keeper?.kept ?? null]
    // A moved item took its text along.
    if (former.id !== id || kept?.text === was?.text || (kept?.text ?? null) === unread) return
    if (kept !== null) adopt(kept)
    else if (unread === was?.text) reset()
  })
}

function jsonText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}

function documentText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}

type ReadValue = { ok: true; value: unknown } | { ok: false; fault: string }

function readValue(text: string, isObject: boolean, takesText: boolean): ReadValue {
  const begin = text.trimStart()
  if (begin === '') return { ok: true, value: undefined }
  if (takesText && !begin.startsWith('{')) return { ok: true, value: text }
  try {
    const value: unknown = JSON.parse(text)
    const read = readTypedJson(text)
    if (!read.ok && read.fault !== null) return { ok: false, fault: read.fault }
    if (isObject && !isJsonObject(value)) return { ok: false, fault: formWords.noObject }
    return { ok: true, value }
  } catch (error) {
    return { ok: false, fault: formWords.noJson(error instanceof Error ? error.message : '') }
  }
}
