import { useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'

export interface JsonSettingProps {
  label: string
  description: string
  value: unknown
  onChange(value: unknown): void
  error: string | null
  isReadOnly: boolean
}

/** A setting that is written as JSON. A text that is none stays in the field, and is not in the configuration. */
export function JsonSetting({ label, description, value, onChange, error, isReadOnly }: JsonSettingProps) {
  const [typed, setTyped] = useState<{ text: string; value: unknown } | null>(null)
  const written = value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
  // What changed elsewhere, such as by a discarded edit, replaces the text.
  const text = typed && JSON.stringify(typed.value) === JSON.stringify(value) ? typed.text : written
  const isBroken = text.trim() !== '' && parsed(text) === undefined
  return (
    <CodeField
      label={label}
      description={description}
      language="json"
      value={text}
      isReadOnly={isReadOnly}
      error={isBroken ? teamPageWords.choices.notJson : error}
      minLines={4}
      onChange={(next) => {
        const read = next.trim() === '' ? null : parsed(next)
        setTyped({ text: next, value: read === undefined ? value : read })
        if (read !== undefined) onChange(read)
      }}
    />
  )
}

/** Undefined for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
