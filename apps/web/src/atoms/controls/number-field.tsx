import { Minus, Plus } from 'lucide-react'
import { useContext, useEffect, useRef, useState } from 'react'
import {
  NumberField as AriaNumberField,
  Button,
  Group,
  Input,
  NumberFieldStateContext,
} from 'react-aria-components'
import { numberFormat } from '../../core/format/formatters.ts'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'

export interface NumberFieldProps extends FieldWords {
  /** null: empty. */
  value: number | null
  onChange(value: number | null): void
  minValue?: number
  maxValue?: number
  step?: number
  isOptional?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
  placeholder?: string
  /** What is in force while the field is empty: steps start from it. */
  fallback?: number
  /** As of `Intl.NumberFormat`: a unit, a currency, a percentage. */
  format?: Intl.NumberFormatOptions
}

/** The default rounds to three digits when the field is left, also what nobody has typed. */
const DIGITS = { maximumFractionDigits: 20 }

/**
 * A number, with arrow keys and steps. What is typed is reported at once, and formatted when the field is left. Steps are for the
 * keys and buttons: any number between the limits may be typed, and one that is given is shown as it is.
 */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    description,
    error,
    isLabelHidden,
    isOptional,
    value,
    onChange,
    fallback,
    placeholder = fallback === undefined ? undefined : String(fallback),
    format,
    ...field
  } = props
  const { shown, isTyped, type, commit } = useTypedNumber(value, onChange)
  const { minValue = Number.NEGATIVE_INFINITY, maxValue = Number.POSITIVE_INFINITY } = field
  const within = (next: number) => numberOrNull(Math.min(Math.max(next, minValue), maxValue))
  // The limit that has taken the place of what was typed: said as long as it stands there.
  const [limit, setLimit] = useState<number | null>(null)
  const taken =
    limit !== null && limit === value ? numberFormat('en', { ...DIGITS, ...format }).format(limit) : null
  const said = limit === minValue ? words.atLeast : words.atMost
  const shownError = error || (taken === null ? null : said(taken))
  const typed = (next: number) => {
    setLimit(null)
    type(within(next))
  }
  const step = (next: number) => {
    // From an empty field, a step of React Aria leads to a limit.
    const isFirst = shown === null && !isTyped && !Number.isNaN(next)
    const committed = isFirst && fallback !== undefined ? fallback : within(next)
    setLimit(isTyped && committed !== next ? committed : null)
    commit(committed)
  }
  return (
    <AriaNumberField
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      formatOptions={{ ...DIGITS, ...format }}
      // The default rounds to the nearest step, also what a bundle has set.
      commitBehavior="validate"
      value={shown ?? Number.NaN}
      onChange={step}
      isInvalid={Boolean(shownError)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Group className={styles.box ?? ''}>
        <TypedInput placeholder={placeholder} onType={typed} />
        <Button slot="decrement" className={styles.inline ?? ''}>
          <Minus size={14} />
        </Button>
        <Button slot="increment" className={styles.inline ?? ''}>
          <Plus size={14} />
        </Button>
      </Group>
      <FieldNotes description={description} error={shownError} />
    </AriaNumberField>
  )
}

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value)

/**
 * The value that the field of React Aria is given: while somebody types, it stays that of before, because a new value would be
 * formatted under the caret.
 */
function useTypedNumber(value: number | null, onChange: (value: number | null) => void) {
  const [typed, setTyped] = useState<{ reported: number | null; before: number | null } | null>(null)
  const shown = typed !== null && typed.reported === value ? typed.before : value
  return {
    shown,
    isTyped: typed !== null,
    type: (next: number | null) => {
      setTyped({ reported: next, before: shown })
      if (next !== value) onChange(next)
    },
    commit: (next: number | null) => {
      setTyped(null)
      onChange(next)
    },
  }
}

/** Reports the number in the input after each key; NaN: it is empty, or no number yet. */
function TypedInput({
  placeholder,
  onType,
}: {
  placeholder: string | undefined
  onType(value: number): void
}) {
  const state = useContext(NumberFieldStateContext)
  const isTyped = useRef(false)
  const report = useRef(onType)
  report.current = onType
  const [text, number] = [state?.inputValue, state?.numberValue ?? Number.NaN]
  // The text is a dependency: the same number can be typed in another way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isTyped.current) return
    isTyped.current = false
    report.current(number)
  }, [text, number])
  return (
    <Input
      placeholder={placeholder}
      onInput={() => {
        isTyped.current = true
      }}
    />
  )
}
