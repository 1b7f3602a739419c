import { isSameJson } from '@troupe/editor/values/json-path'
import { type ReactNode, useRef, useState } from 'react'
import type { FieldWords } from '../../../atoms/controls/field-parts.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { VALUE_TYPES, type ValueType, valueAs, valueTypeOf } from '../../../core/workflows/value-types.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { LiteralField } from './literal-field.tsx'
import { TokenCompletion } from './token-completion.tsx'

export interface TypedValueFieldProps extends Omit<FieldWords, 'label'> {
  label: string
  /** The id of its element on the page. */
  id: string
  value: unknown
  /** Whether its tokens are resolved, and suggested. */
  takesTokens: boolean
  /** undefined: no value. */
  onChange(value: unknown): void
}

/** A value of any type, with a type selector: a typed 5 is a text until number is selected. */
export function TypedValueField({ id, value, takesTokens, onChange, ...field }: TypedValueFieldProps) {
  // A cleared field and an incomplete number keep their type; an external value has its own.
  const [held, setHeld] = useState({ type: valueTypeOf(value), value })
  const type = isSameJson(held.value ?? null, value ?? null) ? held.type : valueTypeOf(value)
  const change = (next: unknown, as = type) => {
    setHeld({ type: as, value: next })
    onChange(next)
  }
  /** The unparsable JSON input; null: the input is the value. */
  const unread = useRef<string | null>(null)
  const changeType = (next: ValueType) => {
    // Reselecting it would replace the input by its value.
    if (next !== type) change(valueAs(next, unread.current ?? value), next)
  }
  return (
    <>
      <Select
        label={words.typeOf(field.label)}
        value={type}
        onChange={changeType}
        options={VALUE_TYPES.map((one) => ({ id: one, label: words.types[one] }))}
      />
      <ValueOfType
        key={type}
        id={id}
        type={type}
        value={value}
        takesTokens={takesTokens}
        onChange={change}
        onUnread={(text) => {
          unread.current = text
        }}
        {...field}
      />
    </>
  )
}

interface ValueOfTypeProps extends TypedValueFieldProps {
  type: ValueType
  /** As for a JSON field. */
  onUnread(text: string | null): void
}

function ValueOfType({ id, type, value, onChange, onUnread, takesTokens, ...field }: ValueOfTypeProps) {
  switch (type) {
    case 'text':
      return withTokens(
        takesTokens,
        value,
        <TextField {...field} value={typeof value === 'string' ? value : ''} onChange={onChange} />,
      )
    case 'number':
    case 'boolean':
      return withTokens(
        takesTokens,
        value,
        <LiteralField
          {...field}
          literal={type}
          description={words.orToken[type]}
          value={value}
          onChange={(next) => onChange(next ?? undefined)}
        />,
      )
    case 'json':
      return <JsonValueField {...field} {...{ id, value, onChange, onUnread }} maxLines={12} />
    default:
      return type satisfies never
  }
}

function withTokens(takesTokens: boolean, value: unknown, field: ReactNode): ReactNode {
  return takesTokens ? <TokenCompletion value={value}>{field}</TokenCompletion> : field
}
