import { isJsonObject } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import { useEffect, useId, useState } from 'react'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { TextLines } from '../../../atoms/controls/text-lines.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { noteUnreadText, onUnreadForgotten } from '../../../core/forms/unread-texts.ts'
import { fieldWords } from '../../../core/messages/en/workflows/outline.ts'
import {
  choicesOf,
  described,
  ROW_TYPES,
  rowFault,
  type SchemaRow,
  schemaOfRows,
  schemaRows,
  typeOfRow,
  withRowType,
} from '../../../core/workflows/schema-rows.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import styles from './fields.module.css'
import { ItemList } from './item-list.tsx'

const words = fieldWords.schema

export interface SchemaFieldProps {
  /** Its place on the page. */
  id: string
  label: string
  description: string | null
  error: string | null
  value: unknown
  /** null: there is no schema. */
  onChange(value: unknown): void
}

const NEW_ROW: SchemaRow = { name: '', isRequired: true, schema: { type: 'string' } }

/** A JSON Schema as rows of properties, with the JSON as the other view. What rows cannot show is JSON, and says so. */
export function SchemaField({ id, label, description, error, value, onChange }: SchemaFieldProps) {
  const [view, setView] = useState<'rows' | 'json'>('rows')
  const read = schemaRows(value)
  // Two rows of one name are one property: they are rows until the name is another one.
  const [held, setHeld] = useState({ rows: read ?? [], value })
  const rows = isSameJson(held.value ?? null, value ?? null) ? held.rows : (read ?? [])
  const isWhole = rows.every((_row, index) => rowFault(rows, index) === null)
  const isShown = read !== null && view === 'rows'
  const key = useId()
  const unread = isShown && !isWhole ? label : null
  useEffect(() => {
    noteUnreadText(key, unread)
    return () => noteUnreadText(key, null)
  }, [key, unread])
  useEffect(() => onUnreadForgotten(() => setHeld({ rows: schemaRows(value) ?? [], value })), [value])
  const change = (next: SchemaRow[]) => {
    const isReadable = next.every((_row, index) => rowFault(next, index) === null)
    const schema = isReadable ? schemaOfRows(value, next) : value
    setHeld({ rows: next, value: schema })
    if (isReadable) onChange(schema)
  }
  return (
    <div className={styles.form}>
      {read !== null && (
        <Segments
          label={words.view(label)}
          value={view}
          onChange={setView}
          options={[
            { id: 'rows', label: words.rows },
            { id: 'json', label: fieldWords.views.json },
          ]}
        />
      )}
      {isShown ? (
        <ItemList<SchemaRow>
          {...{ label, description, error }}
          values={rows}
          additions={[{ label: words.add, item: NEW_ROW }]}
          onChange={change}
          renderItem={(row, index, changeRow) => (
            <RowFields id={`${id}.${index}`} row={row} fault={rowFault(rows, index)} onChange={changeRow} />
          )}
        />
      ) : (
        <JsonValueField
          {...{ id, label, error, value }}
          description={read === null ? `${description ?? ''} ${words.onlyJson}`.trim() : description}
          maxLines={12}
          onChange={(next) => onChange(next ?? null)}
        />
      )}
    </div>
  )
}

interface RowFieldsProps {
  id: string
  row: SchemaRow
  fault: ReturnType<typeof rowFault>
  onChange(row: SchemaRow): void
}

function RowFields({ id, row, fault, onChange }: RowFieldsProps) {
  const { name, isRequired, schema } = row
  const type = typeOfRow(row)
  const change = (next: Record<string, unknown>) => onChange({ ...row, schema: next })
  return (
    <div className={styles.condition}>
      <div className={styles.compared}>
        <TextField
          label={words.name}
          value={name}
          error={fault === 'unnamed' || fault === 'taken' ? words.faults[fault] : null}
          onChange={(next) => onChange({ ...row, name: next })}
          isMono
        />
        <Select
          label={words.type}
          value={type}
          onChange={(next) => onChange(withRowType(row, next))}
          options={ROW_TYPES.map((one) => ({ id: one, label: words.types[one] }))}
        />
      </div>
      {type === 'choice' && (
        <TextLines
          label={words.choices}
          description={words.choicesDetail}
          value={choicesOf(schema)}
          error={fault === 'no-choices' ? words.faults[fault] : null}
          onChange={(choices) => change({ ...schema, enum: choices })}
        />
      )}
      {type === 'json' ? (
        <JsonValueField
          id={id}
          label={words.schemaOf(name)}
          isObject
          value={schema}
          onChange={(next) => change(isJsonObject(next) ? next : {})}
        />
      ) : (
        <TextField
          label={words.description}
          isOptional
          value={typeof schema.description === 'string' ? schema.description : ''}
          onChange={(text) => change(described(schema, text))}
        />
      )}
      <Toggle isSelected={isRequired} onChange={(is) => onChange({ ...row, isRequired: is })}>
        {words.required}
      </Toggle>
    </div>
  )
}
