import { CheckboxGroup, RadioGroup } from '../../atoms/controls/choices.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import type { Option } from '../../atoms/controls/option-list.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TagField } from '../../atoms/controls/tag-field.tsx'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import type { SettingSpec } from '../../core/forms/setting-specs.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import { formWords } from '../../core/messages/en/agents/config-form.ts'
import type { ConfigForm } from './config-form.ts'
import { JsonValueField } from './json-value-field.tsx'
import { settingElementId } from './setting-element-id.ts'
import { SettingFrame } from './setting-frame.tsx'

export interface SettingFieldProps {
  form: ConfigForm
  path: string
  /** `radio` where the choices should be read before choosing; `area` and `line` for texts; `verbatim` for lists of texts as typed. */
  look?: 'radio' | 'area' | 'line' | 'verbatim'
  /** For ids, code and addresses. */
  isMono?: boolean
  placeholder?: string
}

/** One setting: the control for its limits in the contract, with its label and error. */
export function SettingField(props: SettingFieldProps) {
  const { form, path } = props
  const spec = form.specOf(path)
  if (!spec) return null
  const words = form.wordsOf(path) ?? { label: path }
  return (
    <SettingFrame form={form} path={path}>
      <Control {...props} spec={spec} words={words} />
    </SettingFrame>
  )
}

interface ControlProps extends SettingFieldProps {
  spec: SettingSpec
  words: SettingWords
}

function Control(props: ControlProps) {
  const { form, path, spec, words } = props
  const value = form.value(path) ?? spec.standard
  const field = {
    label: words.label,
    description: words.help,
    // A list or a JSON text is one field for all of its parts.
    error: form.errorWithin(path),
    isDisabled: form.isReadOnly,
  }
  switch (spec.kind) {
    case 'switch':
      return (
        <Toggle
          isSelected={value === true}
          onChange={(isOn) => form.set(path, isOn)}
          isDisabled={form.isReadOnly}
          description={words.help}
        >
          {words.label}
        </Toggle>
      )
    case 'number':
      return <NumberControl {...props} />
    case 'text':
      return <TextControl {...props} />
    case 'choice':
      return <ChoiceControl {...props} />
    case 'choices':
      return (
        <CheckboxGroup
          {...field}
          value={textsIn(value)}
          onChange={(chosen) => form.set(path, chosen)}
          options={optionsOf(spec, words)}
        />
      )
    case 'texts':
      return (
        <TagField
          {...field}
          value={textsIn(value)}
          onChange={(texts) => form.set(path, texts.length === 0 ? cleared(spec) : texts)}
          placeholder={props.placeholder ?? words.none}
          isVerbatim={props.look === 'verbatim'}
        />
      )
    case 'json':
      return (
        <JsonValueField
          id={settingElementId(path)}
          label={words.label}
          description={words.help}
          error={field.error}
          value={form.value(path)}
          keeper={form.keeperAt(path)}
          onChange={(next) => form.set(path, next === undefined ? cleared(spec) : next)}
          isReadOnly={form.isReadOnly}
          takesText={spec.takesText ?? false}
        />
      )
    default:
      return spec.kind satisfies never
  }
}

function NumberControl({ form, path, spec, words }: ControlProps) {
  const value = form.value(path) ?? spec.standard
  return (
    <NumberField
      label={words.unit ? formWords.withUnit(words.label, words.unit) : words.label}
      description={words.help}
      error={form.errorAt(path)}
      value={typeof value === 'number' ? value : null}
      onChange={(next) => form.set(path, next ?? cleared(spec))}
      isReadOnly={form.isReadOnly}
      placeholder={words.none ?? standardText(spec)}
      {...(spec.isInteger ? {} : { step: 0.01 })}
      {...(spec.minimum === undefined ? {} : { minValue: spec.minimum })}
      {...(spec.maximum === undefined ? {} : { maxValue: spec.maximum })}
    />
  )
}

const LONGEST_LINE = 1_000

function TextControl({ form, path, spec, words, look, isMono, placeholder }: ControlProps) {
  const value = form.value(path) ?? spec.standard
  const isArea = look === 'area' || (look !== 'line' && (spec.longest ?? 0) > LONGEST_LINE)
  const field = {
    label: words.label,
    description: words.help,
    error: form.errorAt(path),
    value: typeof value === 'string' ? value : '',
    onChange: (text: string) => form.set(path, text === '' ? cleared(spec) : text),
    isReadOnly: form.isReadOnly,
    placeholder: placeholder ?? words.none ?? standardText(spec),
    isMono: isMono ?? false,
  }
  return isArea ? <TextArea {...field} rows={3} /> : <TextField {...field} />
}

const UNSET = 'unset'

function ChoiceControl({ form, path, spec, words, look }: ControlProps) {
  const value = form.value(path) ?? spec.standard
  const options = optionsOf(spec, words)
  const all = spec.isNullable ? [{ id: UNSET, label: words.none ?? formWords.notSet }, ...options] : options
  const field = {
    label: words.label,
    description: words.help,
    error: form.errorAt(path),
    options: all,
    value: typeof value === 'string' ? value : spec.isNullable ? UNSET : null,
    onChange: (chosen: string) => form.set(path, chosen === UNSET ? null : chosen),
    isDisabled: form.isReadOnly,
  }
  return look === 'radio' ? <RadioGroup {...field} /> : <Select {...field} />
}

/** The value of a cleared setting; undefined removes the key. */
function cleared({ isNullable, standard }: SettingSpec): unknown {
  return isNullable ? null : standard
}

function standardText({ standard }: SettingSpec): string | undefined {
  if (typeof standard === 'number') return wholeNumber(standard)
  return typeof standard === 'string' && standard !== '' ? standard : undefined
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function optionsOf({ choices = [] }: SettingSpec, words: SettingWords): Option[] {
  return choices.map((id) => ({ id, label: id, ...words.choices?.[id] }))
}
