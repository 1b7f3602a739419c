import { isJsonObject } from '@troupe/contract'
import { useEffect, useId, useRef, useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import type { FieldWords } from '../../atoms/controls/field-parts.tsx'
import { isSameJson } from '../../core/forms/json-path.ts'
import { mergeValues } from '../../core/forms/merge-contents.ts'
import { noteUnreadText, onUnreadForgotten } from '../../core/forms/unread-texts.ts'
import { formWords } from '../../core/messages/en/agents/config-form.ts'

export interface JsonValueFieldProps extends FieldWords {
  /** What is edited; another one is another text. */
  id: string
  value: unknown
  /** Called with every text that is JSON; undefined for an empty one. */
  onChange(value: unknown): void
  /** Called with a text that is no JSON yet; null: there is none any more. */
  onUnread?(text: string | null): void
  /** Anything but an object, or nothing, is a fault. */
  isObject?: boolean
  isReadOnly?: boolean
  minLines?: number
  maxLines?: number
}

/**
 * A value as JSON. While the text is no JSON, the last value that was one holds, the field says why, and nothing is saved. What
 * is changed elsewhere meanwhile does not replace the text, and is joined with it when it is JSON again.
 */
export function JsonValueField({
  id,
  value,
  onChange,
  onUnread,
  error,
  isReadOnly,
  isObject = false,
  minLines = 3,
  ...field
}: JsonValueFieldProps) {
  const [text, setText] = useState(() => textOf(value))
  const [fault, setFault] = useState<string | null>(null)
  /** What the text was made from, or means. */
  const written = useRef(value)
  const isUnread = useRef(false)
  const key = useId()
  const { label } = field
  const unread = fault === null ? null : text
  const reportUnread = useRef(onUnread)
  reportUnread.current = onUnread

  useEffect(() => {
    noteUnreadText(key, fault === null ? null : label)
    return () => noteUnreadText(key, null)
  }, [key, fault, label])

  useEffect(() => {
    if (unread === null) return
    reportUnread.current?.(unread)
    return () => reportUnread.current?.(null)
  }, [unread])

  useEffect(() => {
    // What came from elsewhere, such as a discarded edit, replaces the text; what was typed here keeps its spacing.
    if (fault !== null || isSameJson(value, written.current)) return
    written.current = value
    setText(textOf(value))
  }, [value, fault])

  useEffect(
    () =>
      onUnreadForgotten(() => {
        if (fault === null) return
        isUnread.current = false
        written.current = value
        setText(textOf(value))
        setFault(null)
      }),
    [fault, value],
  )

  const edit = (next: string) => {
    setText(next)
    const parsed = parsedJson(next, isObject)
    setFault(parsed.ok ? null : parsed.fault)
    const wasUnread = isUnread.current
    isUnread.current = !parsed.ok
    if (!parsed.ok) return
    const before = written.current
    written.current = parsed.value
    onChange(wasUnread ? mergeValues(before, parsed.value, value) : parsed.value)
  }
  return (
    <CodeField
      key={id}
      {...field}
      language="json"
      value={text}
      onChange={edit}
      error={fault ?? error}
      isReadOnly={isReadOnly ?? false}
      minLines={minLines}
    />
  )
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}

function parsedJson(
  text: string,
  isObject: boolean,
): { ok: true; value: unknown } | { ok: false; fault: string } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    const value: unknown = JSON.parse(text)
    if (isObject && !isJsonObject(value)) return { ok: false, fault: formWords.noObject }
    return { ok: true, value }
  } catch (error) {
    return { ok: false, fault: formWords.noJson(error instanceof Error ? error.message : '') }
  }
}
