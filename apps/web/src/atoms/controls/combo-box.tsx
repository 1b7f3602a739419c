import { ChevronDown, X } from 'lucide-react'
import { type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { ComboBox as AriaComboBox, Button, ComboBoxStateContext, Group, Input } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { focusNext } from '../focus/focus-next.ts'
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
  /** The options are still loading. */
  isLoading?: boolean
  placeholder?: string
  isOptional?: boolean
  isDisabled?: boolean
  /** False: the list opens only on typing or by its button. */
  opensOnFocus?: boolean
  /** For a filter: a chosen value is tinted, and its button calls this. */
  onClear?(): void
}

/** One of many options, found by typing. */
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
    onClear,
    isLoading = false,
    ...field
  } = props
  const [highlighted, setHighlighted] = useState<Option<Id> | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const isActive = onClear !== undefined && value !== null
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
      <Group ref={frame} className={styles.box ?? ''} data-active={isActive || undefined}>
        <OpeningInput placeholder={placeholder} opens={opensOnFocus} />
        {isActive ? (
          <button
            type="button"
            className={styles.inline}
            aria-label={words.clearFilter(label)}
            onClick={() => {
              onClear()
              focusNext(() => frame.current?.querySelector('input'))
            }}
          >
            <X size={14} aria-hidden="true" />
          </button>
        ) : (
          <Button className={styles.inline ?? ''}>
            <ChevronDown size={14} />
          </Button>
        )}
      </Group>
      <FieldNotes description={description} error={error} />
      <OptionList options={options} empty={emptyText(isLoading, search)} />
      <HighlightReport onHighlight={(key) => setHighlighted(options.find(({ id }) => id === key) ?? null)} />
    </AriaComboBox>
  )
}

/** Shown instead of options. */
function emptyText(isLoading: boolean, search: ComboBoxProps<string>['search']): string {
  if (isLoading || (search?.isPending && search.text === '')) return words.loadingOptions
  return search?.isPending ? words.searching : words.nothingFound
}

/** The text field. A press reopens a list that was closed while the field kept the focus. */
function OpeningInput({ placeholder, opens }: { placeholder: string | undefined; opens: boolean }) {
  const state = useContext(ComboBoxStateContext)
  const input = useRef<HTMLInputElement>(null)
  useOpenAfterShift(input)
  return (
    <Input
      ref={input}
      placeholder={placeholder}
      onClick={() => {
        if (opens && state?.isOpen === false) state.open(null, 'manual')
      }}
    />
  )
}

/**
 * Reopens the list after a scroll that the user did not cause. React Aria closes it on every scroll around the field,
 * even if the focus scrolls the field into view, or content above it grows while the page loads.
 */
function useOpenAfterShift(input: RefObject<HTMLInputElement | null>): void {
  const state = useContext(ComboBoxStateContext)
  const isOpen = state?.isOpen ?? false
  const hasShifted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on opening and closing only
  useEffect(() => {
    if (!isOpen) {
      // As before, with all options or with those of the typed text.
      if (hasShifted.current && input.current === document.activeElement) state?.open(null, 'input')
      hasShifted.current = false
      return
    }
    let isByPerson = false
    const events = new AbortController()
    const listen = (types: readonly string[], react: (event: Event) => void) => {
      for (const type of types) {
        window.addEventListener(type, react, { capture: true, passive: true, signal: events.signal })
      }
    }
    listen(['wheel', 'touchmove', 'pointerdown'], () => {
      isByPerson = true
    })
    // Other causes that close the list: a key, a press, or another focus.
    listen(['keydown', 'pointerdown', 'focusout'], () => {
      hasShifted.current = false
    })
    listen(['scroll'], ({ target }) => {
      const isAround = target instanceof Node && target !== input.current && target.contains(input.current)
      if (isAround) hasShifted.current = !isByPerson
    })
    return () => events.abort()
  }, [isOpen])
}

/** Reports the option that Enter would select, or null; the surrounding combo box does not expose it. */
function HighlightReport({ onHighlight }: { onHighlight(key: string | null): void }) {
  // React Aria renders the children a second time, without a state, to collect the options.
  const state = useContext(ComboBoxStateContext)
  const isHere = state !== null
  const focused = state?.isOpen ? state.selectionManager.focusedKey : null
  const key = focused === null ? null : String(focused)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after a change of the highlight only
  useEffect(() => {
    if (isHere) onHighlight(key)
  }, [isHere, key])
  return null
}
