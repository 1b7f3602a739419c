import { useState } from 'react'
import { TextArea } from '../../../atoms/controls/text-field.tsx'

export interface LinesFieldProps {
  label: string
  description: string | null
  error: string | null
  value: readonly string[]
  onChange(value: string[]): void
}

/** A list of texts, one a line; they may have commas, which tags may not. */
export function LinesField({ value, onChange, ...words }: LinesFieldProps) {
  const [typed, setTyped] = useState(value.join('\n'))
  // An empty line is the beginning of the next text, and nothing that is stored.
  const isTyped = linesOf(typed).join('\n') === value.join('\n')
  return (
    <TextArea
      {...words}
      rows={Math.min(Math.max(value.length + 1, 3), 12)}
      value={isTyped ? typed : value.join('\n')}
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
