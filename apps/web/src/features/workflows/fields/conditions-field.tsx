import { isJsonObject, OPERATORS, UNARY_OPERATORS } from '@troupe/contract'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import styles from './fields.module.css'
import { ItemList } from './item-list.tsx'
import { JsonField } from './json-field.tsx'

export interface ConditionsFieldProps {
  label: string
  description: string | null
  error: string | null
  value: unknown
  onChange(value: unknown): void
}

/** Comparisons of two texts, one a row. Groups inside groups are edited as JSON. */
export function ConditionsField({ label, description, error, value, onChange }: ConditionsFieldProps) {
  const list = value ?? []
  const isFlat =
    Array.isArray(list) && list.every((one) => isJsonObject(one) && isText(one.left) && isText(one.right))
  if (!isFlat) {
    return (
      <JsonField label={label} description={description} error={error} value={value} onChange={onChange} />
    )
  }
  return (
    <ItemList
      label={label}
      description={description}
      error={error}
      values={list.filter(isJsonObject)}
      onChange={onChange}
      renderItem={({ left, op, right, ...rest }, _index, change) => (
        <div className={styles.condition}>
          <TextField
            label={words.left}
            value={String(left ?? '')}
            onChange={(next) => change({ ...rest, left: next, op, right })}
            isMono
          />
          <Select
            label={words.operator}
            value={typeof op === 'string' ? op : null}
            onChange={(next) => change({ ...rest, left, op: next, right })}
            options={OPERATORS.map((id) => ({ id, label: words.choice(id) }))}
          />
          {!UNARY_OPERATORS.has(String(op)) && (
            <TextField
              label={words.right}
              value={String(right ?? '')}
              onChange={(next) => change({ ...rest, left, op, right: sameKind(right, next) })}
              isMono
            />
          )}
        </div>
      )}
    />
  )
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'number'
}

/** A number that is changed to another one stays a number. */
function sameKind(before: unknown, text: string): string | number {
  return typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))
    ? Number(text)
    : text
}
