import { type IdText, isJsonObject, type ProjectId } from '@troupe/contract'
import { type FocusEvent, Fragment, memo, use } from 'react'
import { NumberField } from '../../../atoms/controls/number-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TagField } from '../../../atoms/controls/tag-field.tsx'
import { TextArea, TextField } from '../../../atoms/controls/text-field.tsx'
import { TextLines } from '../../../atoms/controls/text-lines.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { problemSentence } from '../../../core/forms/problem-sentence.ts'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { newItem } from '../../../core/workflows/new-item.ts'
import { fittingValues, unknownKeys } from '../../../core/workflows/node-schema.ts'
import { schedulePreview } from '../../../core/workflows/schedule-preview.ts'
import {
  type FieldControl,
  type NodeSettingField,
  settingFields,
  withProposedIds,
} from '../../../core/workflows/setting-fields.ts'
import { withKnownExample } from '../../../core/workflows/token-example.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { TimeZoneField } from '../../../parts/time-zone-field/time-zone-field.tsx'
import { FixesOfField } from '../step-data/token-preview.tsx'
import { ConditionsField } from './conditions-field.tsx'
import styles from './fields.module.css'
import { ItemList } from './item-list.tsx'
import { LiteralField } from './literal-field.tsx'
import { ResourceField } from './resource-field.tsx'
import { PeopleField, RolesField } from './reviewers-field.tsx'
import { SchemaField } from './schema-field.tsx'
import { StepModelField } from './step-model-field.tsx'
import { TokenCompletion } from './token-completion.tsx'
import { TokensOfStep } from './tokens-of-step.ts'
import { TypedValueField } from './typed-value-field.tsx'

type Config = Record<string, unknown>

export interface NodeFormProps {
  /** The schema of the node type, or of a part of its config. */
  schema: object
  config: Config
  onChange(config: Config): void
  /** Below the config, dotted; '' for the config itself. */
  path?: string
  /** Messages by path. */
  faults: ReadonlyMap<string, string>
  /** The project of the workflow; null: none. */
  projectId: IdText<ProjectId> | null
}

/** The settings of a node as fields, in the order of its definition. */
export const NodeForm = memo(function NodeForm(props: NodeFormProps) {
  const { schema, config, onChange, path = '', faults, projectId } = props
  const fields = settingFields(schema, config)
  const rest = unknownKeys(schema, config)
  const set = (name: string, value: unknown) => {
    const { [name]: _former, ...others } = config
    onChange(value === undefined ? others : fittingValues(schema, { ...config, [name]: value }, name))
  }
  const proposed = withProposedIds(fields, config)
  // An id that the end of this input fills in is not missing. Its error would go with the press that ends the input, and the pressed button
  // would move away from the pointer.
  const isProposed = ({ name }: NodeSettingField) => proposed !== null && proposed[name] !== config[name]
  const show = (field: NodeSettingField) => {
    const own = path === '' ? field.name : `${path}.${field.name}`
    const change = (value: unknown) => set(field.name, value)
    const shown = isProposed(field) ? NO_FAULTS : faults
    return (
      <Fragment key={field.name}>
        <FieldRow {...{ field, config, projectId }} faults={shown} path={own} onChange={change} />
        {field.control.kind !== 'list' && field.control.kind !== 'group' && <FixesOfField path={own} />}
      </Fragment>
    )
  }
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced)
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    // Rows inside propose their own.
    if (event.target.closest('[data-form]') !== event.currentTarget) return
    if (proposed !== null) onChange(proposed)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves a field inside
    <div data-form className={styles.form} onBlur={onBlur}>
      {fields.filter(({ isAdvanced }) => !isAdvanced).map(show)}
      {rest.length > 0 && (
        <JsonValueField
          id={`${path} other`}
          label={words.other}
          isObject
          value={Object.fromEntries(rest.map((name) => [name, config[name]]))}
          onChange={(value) => {
            const known = Object.entries(config).filter(([name]) => !rest.includes(name))
            onChange({ ...Object.fromEntries(known), ...(isJsonObject(value) ? value : {}) })
          }}
        />
      )}
      {advanced.length > 0 && (
        <Disclosure look="section" title={words.advanced}>
          {advanced.map(show)}
        </Disclosure>
      )}
    </div>
  )
})

const NO_FAULTS: NodeFormProps['faults'] = new Map()

interface FieldRowProps {
  field: NodeSettingField
  /** The config of the node, for labels that depend on several keys. */
  config: Config
  path: string
  faults: ReadonlyMap<string, string>
  projectId: IdText<ProjectId> | null
  onChange(value: unknown): void
}

function FieldRow({ field, config, path, faults, projectId, onChange }: FieldRowProps) {
  const { title: label, control, value, stored, fallback, isNullable } = field
  const tokens = use(TokensOfStep)
  const literal = control.kind === 'literal' ? control.literal : 'string'
  const placeholder = withKnownExample(field.placeholder, tokens, literal)
  const description = withKnownExample(notesOf(field), tokens, literal)
  const common = { label, description, error: faultOf(path, control, faults) }
  const text = typeof value === 'string' ? value : ''
  // A cleared optional text becomes null: a pattern would refuse an empty one.
  const onText = (next: string) => onChange(next === '' && isNullable ? null : next)
  const asText = { ...common, value: text, onChange: onText, placeholder: placeholder ?? undefined }
  switch (control.kind) {
    case 'text':
      return field.takesTokens ? (
        <TokenCompletion value={value}>
          <TextField {...asText} />
        </TokenCompletion>
      ) : (
        <TextField {...asText} />
      )
    case 'text-area':
      return field.takesTokens ? (
        <TokenCompletion value={value}>
          <TextArea {...asText} rows={3} />
        </TokenCompletion>
      ) : (
        <TextArea {...asText} rows={3} />
      )
    case 'cron':
      // The error of an invalid pattern already says the same as the preview.
      return (
        <TextField
          {...asText}
          description={common.error === null ? schedulePreview(config, serverNow()) : null}
          isMono
        />
      )
    case 'number':
      return (
        <NumberField
          {...common}
          // The default is not displayed as a value: it applies while nothing is stored.
          value={typeof stored === 'number' ? stored : null}
          // An invalid number is stored as typed, for the step's validation to report.
          onChange={(next, text) =>
            onChange(Number.isNaN(next) ? text : (next ?? (isNullable ? null : undefined)))
          }
          {...(typeof fallback === 'number' ? { fallback } : {})}
          minValue={control.minimum}
          maxValue={control.maximum}
        />
      )
    case 'literal':
      return (
        <TokenCompletion value={value}>
          <LiteralField
            {...common}
            literal={control.literal}
            value={value}
            onChange={(next) => onChange(next ?? (isNullable ? null : undefined))}
            placeholder={placeholder ?? undefined}
          />
        </TokenCompletion>
      )
    case 'typed-value':
      return (
        <TypedValueField
          {...common}
          id={path}
          value={value}
          onChange={onChange}
          takesTokens={field.takesTokens}
        />
      )
    case 'switch':
      return (
        <Toggle isSelected={value === true} onChange={onChange} description={description}>
          {label}
        </Toggle>
      )
    case 'choice':
      return (
        <Select {...common} value={text === '' ? null : text} onChange={onChange} options={control.choices} />
      )
    case 'tags':
      return (
        <TagField {...common} value={textsOf(value)} onChange={onChange} placeholder={placeholder ?? ''} />
      )
    case 'lines':
      return (
        <TextLines
          {...common}
          value={textsOf(value)}
          onChange={(next) => onChange(next.length === 0 && isNullable ? null : next)}
        />
      )
    case 'people':
      return <PeopleField {...common} value={textsOf(value)} onChange={onChange} />
    case 'roles':
      return <RolesField {...common} value={textsOf(value)} onChange={onChange} />
    case 'resource':
      return <ResourceField {...common} resource={control.resource} value={text} onChange={onChange} />
    case 'time-zone':
      return <TimeZoneField {...common} value={text} onChange={onChange} />
    case 'model':
      return <StepModelField {...common} {...{ path, faults, projectId, onChange }} value={stored} />
    case 'conditions':
      return <ConditionsField {...common} {...{ path, faults, onChange }} value={value} />
    case 'list':
      return (
        <ItemList
          {...common}
          values={Array.isArray(value) ? value.filter(isJsonObject) : []}
          additions={[{ label: words.addItem, item: newItem(control.item) }]}
          onChange={onChange}
          renderItem={(item, index, change) => (
            <NodeForm
              schema={control.item}
              config={item}
              onChange={change}
              path={`${path}.${index}`}
              {...{ faults, projectId }}
            />
          )}
        />
      )
    case 'group':
      return (
        <fieldset className={styles.group}>
          <legend>{label}</legend>
          {control.isOptional && (
            <Toggle
              isSelected={isJsonObject(value)}
              onChange={(isOn) => onChange(isOn ? {} : null)}
              description={description}
            >
              {words.use(label)}
            </Toggle>
          )}
          {(!control.isOptional || isJsonObject(value)) && (
            <NodeForm
              schema={control.schema}
              config={isJsonObject(value) ? value : {}}
              onChange={onChange}
              {...{ path, faults, projectId }}
            />
          )}
        </fieldset>
      )
    case 'schema':
      return <SchemaField id={path} {...common} value={stored} onChange={onChange} />
    case 'json':
      return (
        <JsonValueField
          id={path}
          {...common}
          maxLines={12}
          value={stored}
          // null is stored only where it is allowed: a cleared setting falls back to its default.
          onChange={(next) => onChange(next ?? (isNullable ? null : undefined))}
        />
      )
    default:
      return control satisfies never
  }
}

/** The error of a field. One without rows also shows the errors inside its value. */
function faultOf(path: string, { kind }: FieldControl, faults: ReadonlyMap<string, string>): string | null {
  const own = faults.get(path) ?? null
  if (own !== null || kind === 'list' || kind === 'group' || kind === 'model' || kind === 'conditions')
    return faultSentence(own, kind)
  // Inside the value, a text is missing, not a row.
  return faultSentence([...faults].find(([at]) => at.startsWith(`${path}.`))?.[1] ?? null, 'text')
}

const LISTS: readonly FieldControl['kind'][] = ['list', 'conditions', 'tags', 'lines', 'people', 'roles']
const CHOICES: readonly FieldControl['kind'][] = ['choice', 'resource', 'time-zone']

function faultSentence(message: string | null, kind: FieldControl['kind']): string | null {
  if (message !== 'is required') return problemSentence(message)
  if (LISTS.includes(kind)) return words.missing.list
  return CHOICES.includes(kind) ? words.missing.choice : words.missing.other
}

/** The description of a field, with a note about tokens if it has none itself. */
function notesOf({ description, takesTokens }: NodeSettingField): string | null {
  const tokens = takesTokens && !description?.includes('{{') ? words.tokens : null
  return [description, tokens].filter((one) => one !== null).join(' ') || null
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
