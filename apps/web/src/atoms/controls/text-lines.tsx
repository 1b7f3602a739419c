import { useState } from 'react'
import type { FieldWords } from './field-parts.tsx'
import { TextArea } from './text-field.tsx'

export interface TextLinesProps extends FieldWords {
  value: readonly string[]
  /** Without empty lines, and without spaces around them. */
  onChange(value: string[]): void
  placeholder?: string
  rows?: number
  isReadOnly?: boolean
}

/** A list of texts, one a line: they may have commas, which tags may not. */
export function TextLines({ value, onChange, ...field }: TextLinesProps) {
  const stored = value.join('\n')
  const [typed, setTyped] = useState<string | null>(null)
  // An empty last line is kept while it is typed.
  const isCurrent = typed !== null && linesOf(typed).join('\n') === stored
  return (
    <TextArea
      {...field}
      value={isCurrent ? typed : stored}
      onChange={(text) => {
        setTyped(text)
        onChange(linesOf(text))
      }}
    />
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
