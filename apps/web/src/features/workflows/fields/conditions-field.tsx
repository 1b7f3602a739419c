import { UNARY_OPERATORS } from '@troupe/contract'
import { MAX_CONDITION_DEPTH, MAX_CONDITIONS } from '@troupe/nodes/conditions'
import { use, useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { problemSentence } from '../../../core/forms/problem-sentence.ts'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import {
  conditionRow,
  conditionsFault,
  operandType,
  operatorsFor,
  typedOperand,
} from '../../../core/workflows/condition-rows.ts'
import { withKnownExample } from '../../../core/workflows/token-example.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import styles from './fields.module.css'
import { ItemList } from './item-list.tsx'
import { TokenCompletion } from './token-completion.tsx'
import { TokensOfStep } from './tokens-of-step.ts'

export interface ConditionsFieldProps {
  label: string
  description: string | null
  /** The error of the list itself. */
  error: string | null
  /** Below the config of the step, dotted. */
  path: string
  /** Messages by path, for the parts of conditions. */
  faults: ReadonlyMap<string, string>
  value: unknown
  /** undefined: the JSON was cleared. */
  onChange(value: unknown): void
}

/** Conditions and groups of them, one below the other. Conditions that fields can't show are edited as JSON, with the reason. */
export function ConditionsField(props: ConditionsFieldProps) {
  const { label, description, error, path, faults, value, onChange } = props
  const list = value ?? []
  const fault = conditionsFault(list)
  if (fault !== null || !Array.isArray(list)) {
    return (
      <JsonValueField
        id={path}
        label={label}
        description={words.conditionsAsJson[fault ?? 'not-a-list']}
        error={error ?? faultIn(faults, path)}
        value={value}
        onChange={onChange}
      />
    )
  }
  return <ConditionList {...{ label, description, error, path, faults, onChange }} depth={1} values={list} />
}

interface ConditionListProps extends Omit<ConditionsFieldProps, 'value'> {
  isLabelHidden?: boolean
  /** The depth of the enclosing group; 1: the outermost. */
  depth: number
  values: readonly unknown[]
}

function ConditionList({ values, depth, faults, ...list }: ConditionListProps) {
  const condition = { label: words.addCondition, item: { op: 'eq' } }
  const group = {
    label: words.addGroup,
    item: { match: depth % 2 === 1 ? 'any' : 'all', conditions: [{ op: 'eq' }] },
  }
  return (
    <ItemList<unknown>
      {...list}
      values={values}
      maxItems={MAX_CONDITIONS}
      additions={depth < MAX_CONDITION_DEPTH ? [condition, group] : [condition]}
      renderItem={(entry, index, change) => (
        <ConditionEntry
          entry={entry}
          path={`${list.path}.${index}`}
          {...{ depth, faults }}
          onChange={change}
        />
      )}
    />
  )
}

interface ConditionEntryProps {
  entry: unknown
  path: string
  depth: number
  faults: ReadonlyMap<string, string>
  onChange(entry: unknown): void
}

function ConditionEntry({ entry, path, depth, faults, onChange }: ConditionEntryProps) {
  const row = conditionRow(entry, depth)
  switch (row.kind) {
    case 'comparison':
      return <Comparison entry={row.entry} {...{ path, faults, onChange }} />
    case 'group':
      return (
        <div className={styles.form}>
          <Select
            label={words.joined}
            value={row.entry.match === 'any' ? 'any' : 'all'}
            error={problemSentence(faults.get(`${path}.match`) ?? null)}
            onChange={(match) => onChange({ ...row.entry, match })}
            options={[
              { id: 'all', label: words.groupMatch.all },
              { id: 'any', label: words.groupMatch.any },
            ]}
          />
          <ConditionList
            label={words.conditionsOfGroup}
            isLabelHidden
            description={null}
            error={faultAt(faults, path) ?? faultAt(faults, `${path}.conditions`)}
            path={`${path}.conditions`}
            faults={faults}
            depth={depth + 1}
            values={row.conditions}
            onChange={(conditions) => onChange({ ...row.entry, conditions })}
          />
        </div>
      )
    case 'json':
      return (
        <JsonValueField
          id={path}
          label={words.conditionAsJson}
          description={words.conditionAsJsonDetail}
          error={faultAt(faults, path) ?? faultIn(faults, path)}
          value={entry}
          onChange={(next) => onChange(next ?? {})}
        />
      )
    default:
      return row satisfies never
  }
}

interface ComparisonProps extends Omit<ConditionEntryProps, 'entry' | 'depth'> {
  entry: Record<string, unknown>
}

function Comparison({ entry, path, faults, onChange }: ComparisonProps) {
  const tokens = use(TokensOfStep)
  const { left, op, right } = entry
  const type = operandType(left, tokens)
  const set = (key: string, value: unknown) => {
    const { [key]: _former, ...others } = entry
    // Keys in reading order.
    onChange(value === undefined ? others : { left, op, right, ...others, [key]: value })
  }
  return (
    <div className={styles.condition}>
      <TokenCompletion value={op === 'exists' || op === 'not_exists' ? undefined : left}>
        <OperandField
          label={words.left}
          description={
            left === undefined || left === '' ? withKnownExample(words.leftDetail, tokens, 'string') : null
          }
          error={faultAt(faults, `${path}.left`)}
          value={left}
          otherType={operandType(right, tokens)}
          onChange={(next) => set('left', next)}
        />
      </TokenCompletion>
      <div className={styles.compared}>
        <Select
          label={words.operator}
          value={typeof op === 'string' ? op : null}
          error={faultAt(faults, `${path}.op`)}
          onChange={(next) => set('op', next)}
          options={operatorsFor(type, op).map((id) => ({ id, label: words.operators[id] }))}
        />
        {!(typeof op === 'string' && UNARY_OPERATORS.has(op)) && (
          <TokenCompletion value={right}>
            <OperandField
              label={words.right}
              error={faultAt(faults, `${path}.right`)}
              value={right}
              otherType={type}
              onChange={(next) => set('right', next)}
            />
          </TokenCompletion>
        )}
      </div>
    </div>
  )
}

interface OperandFieldProps {
  label: string
  description?: string | null
  error: string | null
  value: unknown
  /** The type of the other side, which a new value gets; null: any. */
  otherType: string | null
  onChange(value: string | number | boolean | undefined): void
}

/** "100." and "-0" are prefixes of other numbers: the field keeps the text while it matches the stored value. */
function OperandField({ value, otherType, onChange, ...field }: OperandFieldProps) {
  const [held, setHeld] = useState({ text: String(value ?? ''), value, type: literalTypeOf(value) })
  const isHeld = held.value === value
  // A number keeps its type while it is overwritten, even if the text is temporarily invalid.
  const type = (isHeld ? held.type : literalTypeOf(value)) ?? otherType
  return (
    <TextField
      {...field}
      value={isHeld ? held.text : String(value ?? '')}
      onChange={(text) => {
        const next = typedOperand(type, text)
        setHeld({
          text,
          value: next,
          type: literalTypeOf(next) ?? (isHeld ? held.type : literalTypeOf(value)),
        })
        onChange(next)
      }}
      isMono
    />
  )
}

function literalTypeOf(value: unknown): 'number' | 'boolean' | null {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : null
}

function faultAt(faults: ReadonlyMap<string, string>, path: string): string | null {
  const message = faults.get(path) ?? null
  return message === 'is required' ? words.missing.other : problemSentence(message)
}

/** The first error inside a value without its own fields. */
function faultIn(faults: ReadonlyMap<string, string>, path: string): string | null {
  const [at] = [...faults].find(([one]) => one.startsWith(`${path}.`)) ?? []
  return at === undefined ? null : faultAt(faults, at)
}
