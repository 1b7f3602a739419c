import { CodeField } from '../../atoms/code/code-field.tsx'
import type { FieldWords } from '../../atoms/controls/field-parts.tsx'
import { type JsonTextSettings, useJsonText } from './use-json-text.ts'

export interface JsonValueFieldProps extends FieldWords, JsonTextSettings {
  label: string
  isReadOnly?: boolean
  minLines?: number
  maxLines?: number
}

/** A value as JSON. While the text is invalid, the last valid value applies, the field shows the error, and nothing is saved. */
export function JsonValueField(props: JsonValueFieldProps) {
  const {
    id,
    value,
    onChange,
    onUnread,
    keeper,
    error,
    isReadOnly,
    isObject,
    takesText,
    minLines = 3,
    ...field
  } = props
  const { text, fault, edit } = useJsonText(props)
  return (
    <CodeField
      key={id}
      {...field}
      language={takesText && !/^\s*(\{|$)/.test(text) ? 'yaml' : 'json'}
      value={text}
      onChange={edit}
      error={fault ?? error}
      isReadOnly={isReadOnly ?? false}
      minLines={minLines}
    />
  )
}
