import { ChevronsUpDown, X } from 'lucide-react'
import { useRef } from 'react'
import { Select as AriaSelect, Button, SelectValue } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { focusNext } from '../focus/focus-next.ts'
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
  /**
   * For a filter: the value that filters nothing. Any other one is tinted, and has a button that restores this one.
   */
  clearTo?: NoInfer<Id>
}

/** One of a few options. Use the combo box for many, or for search. */
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
    clearTo,
    ...field
  } = props
  const frame = useRef<HTMLDivElement>(null)
  const isActive = clearTo !== undefined && value !== null && value !== clearTo
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
      <div ref={frame} className={optionStyles.frame} data-active={isActive || undefined}>
        <Button className={optionStyles.trigger ?? ''}>
          <SelectValue className={optionStyles.value ?? ''}>
            {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
          </SelectValue>
          {!isActive && <ChevronsUpDown size={14} aria-hidden="true" />}
        </Button>
        {isActive && (
          <button
            type="button"
            className={optionStyles.clear}
            aria-label={words.clearFilter(label)}
            onClick={() => {
              onChange(clearTo)
              focusNext(() => frame.current?.querySelector('button'))
            }}
          >
            <X size={14} aria-hidden="true" />
          </button>
        )}
      </div>
      <FieldNotes description={description} error={error} />
      <OptionList options={options} empty={words.nothingToChoose} />
    </AriaSelect>
  )
}
