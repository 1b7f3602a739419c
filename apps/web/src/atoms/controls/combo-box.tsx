import { ChevronDown } from 'lucide-react'
import { ComboBox as AriaComboBox, Button, Group, Input } from 'react-aria-components'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'
import { type Option, OptionList } from './option-list.tsx'

export interface ComboBoxProps<Id extends string> extends FieldWords {
  options: readonly Option<Id>[]
  value: Id | null
  onChange(value: NoInfer<Id> | null): void
  /** What is typed; with it, the caller finds the options, for example by a request. */
  search?: { text: string; onChange(text: string): void }
  placeholder?: string
  isOptional?: boolean
  isDisabled?: boolean
}

/** One of many things, found by typing. */
export function ComboBox<Id extends string>(props: ComboBoxProps<Id>) {
  const {
    label,
    description,
    error,
    isLabelHidden,
    isOptional,
    options,
    value,
    onChange,
    search,
    placeholder,
    ...field
  } = props
  return (
    <AriaComboBox
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      {...(search
        ? { items: options, inputValue: search.text, onInputChange: search.onChange }
        : { defaultItems: options })}
      value={value}
      onChange={(key) => onChange(options.find(({ id }) => id === key)?.id ?? null)}
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Group className={styles.box ?? ''}>
        <Input placeholder={placeholder} />
        <Button className={styles.inline ?? ''}>
          <ChevronDown size={14} />
        </Button>
      </Group>
      <FieldNotes description={description} error={error} />
      <OptionList options={options} empty="Nothing found." />
    </AriaComboBox>
  )
}
