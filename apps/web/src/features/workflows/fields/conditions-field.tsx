import { isKeptByDouble, OPERATORS, UNARY_OPERATORS } from '@troupe/contract'
import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { isFlatConditions } from '../../../core/workflows/flat-conditions.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import styles from './fields.module.css'
import { ItemList } from './item-list.tsx'
import { TokenCompletion } from './token-completion.tsx'

export interface ConditionsFieldProps {
  label: string
  description: string | null
  error: string | null
  value: unknown
  /** undefined: the JSON was emptied. */
  onChange(value: unknown): void
}

/** Comparisons of two texts, one a row. Groups inside groups are edited as JSON. */
export function ConditionsField({ label, description, error, value, onChange }: ConditionsFieldProps) {
  const list = value ?? []
  if (!isFlatConditions(list)) {
    return (
      <JsonValueField
        id={label}
        label={label}
        description={description}
        error={error}
        value={value}
        onChange={onChange}
      />
    )
  }
  return (
    <ItemList
      label={label}
      description={description}
      error={error}
      values={list}
      onChange={onChange}
      renderItem={({ left, op, right, ...rest }, _index, change) => (
        <div className={styles.condition}>
          <TokenCompletion>
            <TextField
              label={words.left}
              description={words.leftDetail}
              value={String(left ?? '')}
              onChange={(next) => change({ ...rest, left: next, op, right })}
              isMono
            />
          </TokenCompletion>
          <Select
            label={words.operator}
            value={typeof op === 'string' ? op : null}
            onChange={(next) => change({ ...rest, left, op: next, right })}
            options={OPERATORS.map((id) => ({ id, label: words.operators[id] }))}
          />
          {!UNARY_OPERATORS.has(String(op)) && (
            <TokenCompletion>
              <RightField value={right} onChange={(next) => change({ ...rest, left, op, right: next })} />
            </TokenCompletion>
          )}
        </div>
      )}
    />
  )
}

/** "100." and "-0" are the beginnings of other numbers: the field shows what was typed as long as that is what is stored. */
function RightField({ value, onChange }: { value: unknown; onChange(value: string | number): void }) {
  const [typed, setTyped] = useState(String(value ?? ''))
  return (
    <TextField
      label={words.right}
      value={sameKind(value, typed) === value ? typed : String(value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(sameKind(value, next))
      }}
      isMono
    />
  )
}

/** A number that is changed to another one stays a number. */
function sameKind(before: unknown, text: string): string | number {
  return typeof before === 'number' && isKeptByDouble(text.trim()) ? Number(text) : text
}
