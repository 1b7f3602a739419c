import { ChevronsUpDown } from 'lucide-react'
import { Select as AriaSelect, Button, SelectValue } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'
import { type Option, OptionList } from './option-list.tsx'
import optionStyles from './options.module.css'

export interface SelectProps<Id extends string> extends FieldWords {
  options: readonly Option<Id>[]
  /** null: nothing is chosen yet. */
  value: Id | null
  onChange(value: NoInfer<Id>): void
  placeholder?: string
  isOptional?: boolean
  isDisabled?: boolean
}

/** One of a few things. For many, or for what is found by typing, there is the combo box. */
export function Select<Id extends string>(props: SelectProps<Id>) {
  const {
    label,
    description,
    error,
    isLabelHidden,
    isOptional,
    options,
    value,
    onChange,
    placeholder,
    ...field
  } = props
  return (
    <AriaSelect
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      value={value}
      onChange={(key) => {
        const chosen = options.find(({ id }) => id === key)
        if (chosen) onChange(chosen.id)
      }}
      placeholder={placeholder ?? words.choosePlaceholder}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Button className={optionStyles.trigger ?? ''}>
        <SelectValue className={optionStyles.value ?? ''}>
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <ChevronsUpDown size={14} aria-hidden="true" />
      </Button>
      <FieldNotes description={description} error={error} />
      <OptionList options={options} empty={words.nothingToChoose} />
    </AriaSelect>
  )
}
