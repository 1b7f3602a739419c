import { isJsonObject } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import { mergeValues } from '@troupe/editor/values/merge-contents'
import { use, useMemo, useState } from 'react'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { TextLines } from '../../../atoms/controls/text-lines.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { fieldWords } from '../../../core/messages/en/workflows/outline.ts'
import {
  choicesOf,
  described,
  ROW_TYPES,
  readKeptRows,
  rowFault,
  type SchemaRow,
  schemaOfRows,
  schemaRows,
  typeOfRow,
  withRowType,
} from '../../../core/workflows/schema-rows.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { KeeperOfTexts } from '../../../parts/config-form/keeper-of-texts.ts'
import styles from './fields.module.css'
import { ItemList } from './item-list.tsx'

const words = fieldWords.schema

export interface SchemaFieldProps {
  /** The id of its element on the page. */
  id: string
  label: string
  description: string | null
  error: string | null
  value: unknown
  /** null: no schema. */
  onChange(value: unknown): void
}

const NEW_ROW: SchemaRow = { name: '', isRequired: true, schema: { type: 'string' } }

/** A JSON Schema as rows of properties, with JSON as the other view. A schema that rows can't show is JSON, with a notice. */
export function SchemaField({ id, label, description, error, value, onChange }: SchemaFieldProps) {
  const [view, setView] = useState<'rows' | 'json'>('rows')
  const read = schemaRows(value)
  const { rows, isWhole, change } = useRows(id, label, value, onChange)
  // Rows that are not a valid schema yet have no JSON.
  const isShown = !isWhole || (read !== null && view === 'rows')
  return (
    <div className={styles.form}>
      {(read !== null || !isWhole) && (
        <Segments
          label={words.view(label)}
          value={isShown ? 'rows' : 'json'}
          onChange={setView}
          options={[
            { id: 'rows', label: words.rows },
            { id: 'json', label: fieldWords.views.json, isDisabled: !isWhole },
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

/** Rows during editing, and the stored value that they belong to. */
interface HeldRows {
  rows: readonly SchemaRow[]
  value: unknown
}

/**
 * The rows of a schema. Rows that are no valid schema, such as duplicate names, are stored like unparsable JSON texts; other users'
 * changes are merged once they are valid.
 */
function useRows(id: string, label: string, value: unknown, onChange: SchemaFieldProps['onChange']) {
  const keeperOf = use(KeeperOfTexts)
  const keeper = keeperOf?.(`${id} rows`) ?? null
  const kept = keeper?.kept ?? null
  const keptRows = useMemo(() => (kept === null ? null : readKeptRows(kept.text)), [kept])
  const [held, setHeld] = useState<HeldRows>({ rows: schemaRows(value) ?? [], value })
  const isHeld = isSameJson(held.value ?? null, value ?? null)
  const rows = keptRows ?? (isHeld ? held.rows : (schemaRows(value) ?? []))
  const isWhole = areWhole(rows)
  const change = (next: readonly SchemaRow[]) => {
    const before = kept === null ? value : kept.from
    if (!areWhole(next)) {
      setHeld({ rows: next, value })
      keeper?.keep({ text: JSON.stringify(next), from: before ?? null, label })
      return
    }
    if (kept !== null) keeper?.forget(kept.text)
    const mine = schemaOfRows(before, next)
    const { value: schema } = mergeValues(before ?? null, mine, value ?? null)
    setHeld({ rows: next, value: isSameJson(schema, mine) ? mine : NOT_HELD })
    onChange(schema)
  }
  return { rows, isWhole, change }
}

/** Equals no stored value, so that rows are read again after a merge with other users' changes. */
const NOT_HELD = Symbol('rows that were joined with others')

const areWhole = (rows: readonly SchemaRow[]) => rows.every((_row, index) => rowFault(rows, index) === null)

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
