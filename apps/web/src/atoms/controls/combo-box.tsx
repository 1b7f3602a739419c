import { ChevronDown } from 'lucide-react'
import { useContext, useEffect, useState } from 'react'
import { ComboBox as AriaComboBox, Button, ComboBoxStateContext, Group, Input } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'
import { keepHighlighted } from './keep-highlighted.ts'
import { type Option, OptionList } from './option-list.tsx'

export interface ComboBoxProps<Id extends string> extends FieldWords {
  options: readonly Option<Id>[]
  value: Id | null
  onChange(value: NoInfer<Id> | null): void
  /** Called when the focus leaves the field. */
  onLeave?(): void
  /** The typed text; with it, the caller finds the options, for example by a request. `isPending`: more may come. */
  search?: { text: string; onChange(text: string): void; isPending?: boolean }
  placeholder?: string
  isOptional?: boolean
  isDisabled?: boolean
  /** False: the list opens only on typing or by its button. */
  opensOnFocus?: boolean
}

/** One of many things, found by typing. */
export function ComboBox<Id extends string>(props: ComboBoxProps<Id>) {
  const {
    label,
    description,
    error,
    isLabelHidden,
    isOptional,
    options: given,
    value,
    onChange,
    search,
    onLeave,
    placeholder,
    opensOnFocus = true,
    ...field
  } = props
  const [highlighted, setHighlighted] = useState<Option<Id> | null>(null)
  const options = search ? keepHighlighted(given, highlighted) : given
  return (
    <AriaComboBox
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      {...(search
        ? { items: options, inputValue: search.text, onInputChange: search.onChange }
        : { defaultItems: options })}
      value={value}
      // Escape restores the value, which the typed text may exclude from the options.
      onChange={(key) => onChange(key === value ? value : (options.find(({ id }) => id === key)?.id ?? null))}
      {...(onLeave ? { onBlur: () => onLeave() } : {})}
      allowsEmptyCollection
      menuTrigger={opensOnFocus ? 'focus' : 'input'}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Group className={styles.box ?? ''}>
        <OpeningInput placeholder={placeholder} opens={opensOnFocus} />
        <Button className={styles.inline ?? ''}>
          <ChevronDown size={14} />
        </Button>
      </Group>
      <FieldNotes description={description} error={error} />
      <OptionList options={options} empty={search?.isPending ? words.searching : words.nothingFound} />
      <HighlightReport onHighlight={(key) => setHighlighted(options.find(({ id }) => id === key) ?? null)} />
    </AriaComboBox>
  )
}

/** The text field. A press opens the list again that was closed while the field kept the focus. */
function OpeningInput({ placeholder, opens }: { placeholder: string | undefined; opens: boolean }) {
  const state = useContext(ComboBoxStateContext)
  return (
    <Input
      placeholder={placeholder}
      onClick={() => {
        if (opens && state?.isOpen === false) state.open(null, 'manual')
      }}
    />
  )
}

/** Reports the option that Enter would select, or null; the surrounding combo box does not expose it. */
function HighlightReport({ onHighlight }: { onHighlight(key: string | null): void }) {
  // React Aria renders the children once more, without a state, to collect the options.
  const state = useContext(ComboBoxStateContext)
  const isHere = state !== null
  const focused = state?.isOpen ? state.selectionManager.focusedKey : null
  const key = focused === null ? null : String(focused)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another highlight is news
  useEffect(() => {
    if (isHere) onHighlight(key)
  }, [isHere, key])
  return null
}
