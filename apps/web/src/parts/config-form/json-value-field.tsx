import { useEffect, useRef, useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import type { FieldWords } from '../../atoms/controls/field-parts.tsx'
import { isSameJson } from '../../core/forms/json-path.ts'
import { formWords } from '../../core/messages/en/agents/config-form.ts'

export interface JsonValueFieldProps extends FieldWords {
  /** What is edited; another one is another text. */
  id: string
  value: unknown
  /** Called with every text that is JSON; undefined for an empty one. */
  onChange(value: unknown): void
  isReadOnly?: boolean
  minLines?: number
  maxLines?: number
}

/** A value as JSON. While the text is no JSON, the last value that was one holds, and the field says why. */
export function JsonValueField({
  id,
  value,
  onChange,
  error,
  isReadOnly,
  minLines = 3,
  ...field
}: JsonValueFieldProps) {
  const [text, setText] = useState(() => textOf(value))
  const [fault, setFault] = useState<string | null>(null)
  const written = useRef(value)

  useEffect(() => {
    // What came from elsewhere, such as a discarded edit, replaces the text; what was typed here keeps its spacing.
    if (isSameJson(value, written.current)) return
    written.current = value
    setText(textOf(value))
    setFault(null)
  }, [value])

  const edit = (next: string) => {
    setText(next)
    const parsed = parsedJson(next)
    setFault(parsed.ok ? null : parsed.fault)
    if (!parsed.ok) return
    written.current = parsed.value
    onChange(parsed.value)
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

function parsedJson(text: string): { ok: true; value: unknown } | { ok: false; fault: string } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, fault: formWords.noJson(error instanceof Error ? error.message : '') }
  }
}
