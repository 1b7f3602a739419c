import { TextLines } from '../../atoms/controls/text-lines.tsx'
import { type ConfigForm, listAt } from '../../parts/config-form/config-form.ts'
import { SettingFrame } from '../../parts/config-form/setting-frame.tsx'

export interface LinesFieldProps {
  form: ConfigForm
  path: string
  /** The value that applies while it is empty. */
  placeholder?: string
}

/** Sentences, one per line: a comma is part of a sentence. */
export function LinesField({ form, path, placeholder }: LinesFieldProps) {
  const words = form.wordsOf(path)
  const stored = listAt(form, path)
  const list = form.errorAt(path)
  const wrong = stored.findIndex((_, index) => form.errorAt(`${path}.${index}`) !== null)
  return (
    <SettingFrame form={form} path={path}>
      <TextLines
        label={words?.label ?? path}
        description={words?.help}
        placeholder={placeholder ?? words?.none ?? ''}
        rows={3}
        value={stored.map(String)}
        onChange={(lines) => form.set(path, lines.length === 0 ? undefined : lines)}
        isReadOnly={form.isReadOnly}
        error={list ?? (wrong < 0 ? null : form.errorAt(`${path}.${wrong}`))}
      />
    </SettingFrame>
  )
}
