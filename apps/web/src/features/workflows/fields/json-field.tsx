import { useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'

export interface JsonFieldProps {
  label: string
  description?: string | null
  error?: string | null
  value: unknown
  onChange(value: unknown): void
}

/** Any JSON; an empty text is null. What is typed stays, also while it is no JSON. */
export function JsonField({ label, description, error, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState(() => (value === null ? '' : asJson(value)))
  const [isJson, setJson] = useState(true)
  const change = (next: string) => {
    setText(next)
    const read = readValue(next)
    setJson(read !== null)
    if (read !== null) onChange(read.value)
  }
  return (
    <CodeField
      label={label}
      description={description}
      language="json"
      value={text}
      onChange={change}
      minLines={2}
      maxLines={12}
      error={isJson ? error : words.notJson}
    />
  )
}

function readValue(text: string): { value: unknown } | null {
  try {
    return { value: text.trim() === '' ? null : JSON.parse(text) }
  } catch {
    return null
  }
}
