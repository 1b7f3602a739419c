import { useState } from 'react'
import { TextArea } from '../../atoms/controls/text-field.tsx'
import { type ConfigForm, listAt } from '../../parts/config-form/config-form.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'

export interface LinesFieldProps {
  form: ConfigForm
  path: string
  /** What holds while it is empty. */
  placeholder?: string
}

/** Sentences, one per line: a comma is part of a sentence. Empty lines are left out. */
export function LinesField({ form, path, placeholder }: LinesFieldProps) {
  const words = form.wordsOf(path)
  const stored = listAt(form, path).map(String).join('\n')
  const [typed, setTyped] = useState<string | null>(null)
  const isCurrent = typed !== null && linesOf(typed).join('\n') === stored
  const change = (text: string) => {
    setTyped(text)
    const lines = linesOf(text)
    form.set(path, lines.length === 0 ? undefined : lines)
  }
  const list = form.errorAt(path)
  const wrong = listAt(form, path).findIndex((_, index) => form.errorAt(`${path}.${index}`) !== null)
  return (
    <SettingFrame form={form} path={path}>
      <TextArea
        label={words?.label ?? path}
        description={words?.help}
        placeholder={placeholder ?? words?.none ?? ''}
        rows={3}
        // An empty last line is kept while it is typed.
        value={isCurrent ? typed : stored}
        onChange={change}
        isReadOnly={form.isReadOnly}
        error={list ?? (wrong < 0 ? null : form.errorAt(`${path}.${wrong}`))}
      />
    </SettingFrame>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
