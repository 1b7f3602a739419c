import { useState } from 'react'
import { TextField, type TextFieldProps } from '../../../atoms/controls/text-field.tsx'
import { type LiteralType, literalOf } from '../../../core/workflows/literal-text.ts'

export interface LiteralFieldProps extends Omit<TextFieldProps, 'value' | 'onChange'> {
  literal: LiteralType
  value: unknown
  /** null: the field was cleared. */
  onChange(value: string | number | boolean | null): void
}

/** A number or a boolean that may also be a token. "1.0" is displayed as typed while 1 is stored. */
export function LiteralField({ literal, value, onChange, ...field }: LiteralFieldProps) {
  const [typed, setTyped] = useState(String(value ?? ''))
  return (
    <TextField
      {...field}
      value={literalOf(literal, typed) === value ? typed : String(value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(literalOf(literal, next))
      }}
      isMono
    />
  )
}
