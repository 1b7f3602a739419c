import { Check } from 'lucide-react'
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  RadioGroup as AriaRadioGroup,
  Radio,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components'
import { classNames } from '../styles/class-names.ts'
import fieldStyles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'
import type { Option } from './option-list.tsx'
import styles from './toggles.module.css'
import { ToggleWords } from './toggles.tsx'

interface ChoiceProps<Id extends string> extends FieldWords {
  options: readonly Option<Id>[]
  isDisabled?: boolean
  isOptional?: boolean
}

export interface RadioGroupProps<Id extends string> extends ChoiceProps<Id> {
  value: Id | null
  onChange(value: NoInfer<Id>): void
}

/** One of two to five options whose differences should be read before choosing. */
export function RadioGroup<Id extends string>(props: RadioGroupProps<Id>) {
  const { label, description, error, isLabelHidden, isOptional, options, onChange, ...field } = props
  return (
    <AriaRadioGroup
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      onChange={(key) => {
        const chosen = options.find(({ id }) => id === key)
        if (chosen) onChange(chosen.id)
      }}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={fieldStyles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <div className={styles.group}>
        {options.map(({ id, label: text, detail, isDisabled = false }) => (
          <Radio key={id} value={id} isDisabled={isDisabled} className={styles.row ?? ''}>
            <span className={classNames(styles.mark, styles.round)}>
              <span className={styles.dot} />
            </span>
            <ToggleWords description={detail}>{text}</ToggleWords>
          </Radio>
        ))}
      </div>
      <FieldNotes description={description} error={error} />
    </AriaRadioGroup>
  )
}

export interface CheckboxGroupProps<Id extends string> extends ChoiceProps<Id> {
  value: readonly Id[]
  onChange(value: NoInfer<Id>[]): void
}

/** Any number of a few options. */
export function CheckboxGroup<Id extends string>(props: CheckboxGroupProps<Id>) {
  const { label, description, error, isLabelHidden, isOptional, options, value, onChange, ...field } = props
  return (
    <AriaCheckboxGroup
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      value={[...value]}
      onChange={(keys) => onChange(options.map(({ id }) => id).filter((id) => keys.includes(id)))}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={fieldStyles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <div className={styles.group}>
        {options.map(({ id, label: text, detail, isDisabled = false }) => (
          <AriaCheckbox key={id} value={id} isDisabled={isDisabled} className={styles.row ?? ''}>
            <span className={styles.mark}>
              <Check size={12} strokeWidth={3} />
            </span>
            <ToggleWords description={detail}>{text}</ToggleWords>
          </AriaCheckbox>
        ))}
      </div>
      <FieldNotes description={description} error={error} />
    </AriaCheckboxGroup>
  )
}

export interface SegmentsProps<Id extends string> {
  label: string
  options: readonly Option<Id>[]
  value: Id
  onChange(value: NoInfer<Id>): void
}

/** One of two to four views of the same data, applied immediately. */
export function Segments<Id extends string>({ label, options, value, onChange }: SegmentsProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find(({ id }) => keys.has(id))
        if (chosen) onChange(chosen.id)
      }}
      className={styles.segments ?? ''}
    >
      {options.map(({ id, label: text, icon, isDisabled = false }) => (
        <ToggleButton key={id} id={id} isDisabled={isDisabled} className={styles.segment ?? ''}>
          {icon}
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
