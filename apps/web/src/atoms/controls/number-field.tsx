import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { TextField as AriaTextField, Button, Group, Input, useLocale } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { readNumber, shownNumber, steppedNumber } from '../../core/numbers/typed-number.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'

export interface NumberFieldProps extends FieldWords {
  /** null: empty. */
  value: number | null
  /** NaN: the field's text is not a number, and `text` is that text. It can't be sent. */
  onChange(value: number | null, text: string): void
  minValue?: number
  maxValue?: number
  step?: number
  isOptional?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
  placeholder?: string
  /** The value in force while the field is empty: steps start from it. */
  fallback?: number
  /** Before the number, such as `$`. */
  lead?: string
  /** After the number, such as `seconds`. */
  unit?: string
}

/** The text of a field while it differs from the notation of its value. */
interface Typed {
  text: string
  reported: number | null
}

/**
 * A number, with arrow keys and steps. Typing is reported immediately, in the notation of the browser's language or any unambiguous
 * one. The text is never changed: invalid and out-of-range numbers stay in the field with an error.
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
    minValue,
    maxValue,
    step = 1,
    lead,
    unit,
    ...field
  } = props
  const { locale } = useLocale()
  const [typed, setTyped] = useState<Typed | null>(null)
  const [isFocused, setFocused] = useState(false)
  const limits = { minValue, maxValue }
  const isOwn = typed !== null && isSame(typed.reported, value)
  const text = isOwn ? typed.text : shownNumber(value, locale)
  const { fault } = readNumber(text, locale, limits)
  // While typing, "-" and "1" may be the beginning of another number.
  const shownError = error || (isFocused ? null : fault)
  const type = (next: string) => {
    const { value: number } = readNumber(next, locale, limits)
    setTyped({ text: next, reported: number })
    onChange(number, next)
  }
  const move = (by: number) => {
    const from = value === null || Number.isNaN(value) ? null : value
    const next =
      from === null && fallback !== undefined
        ? fallback
        : steppedNumber(from ?? Math.max(0, minValue ?? 0), from === null ? 0 : by, limits)
    setTyped(null)
    onChange(next, shownNumber(next, locale))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isUp = event.key === 'ArrowUp'
    if ((!isUp && event.key !== 'ArrowDown') || event.altKey || event.ctrlKey || event.metaKey) return
    if (field.isReadOnly || field.isDisabled) return
    event.preventDefault()
    move(isUp ? step : -step)
  }
  const isFixed = Boolean(field.isReadOnly || field.isDisabled)
  return (
    <AriaTextField
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      value={text}
      onChange={type}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false)
        if (fault === null) setTyped(null)
      }}
      // The keypad of a telephone has no minus.
      inputMode={minValue !== undefined && minValue >= 0 ? 'decimal' : 'text'}
      autoComplete="off"
      isInvalid={Boolean(shownError)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional ?? false} />}
      <Group
        className={classNames(styles.box, styles.number)}
        isInvalid={Boolean(shownError)}
        isDisabled={field.isDisabled ?? false}
      >
        {lead !== undefined && <span className={styles.lead}>{lead}</span>}
        <Input {...(placeholder === undefined ? {} : { placeholder })} onKeyDown={onKeyDown} />
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
        <StepButton label={words.decrease(label)} isDisabled={isFixed} onPress={() => move(-step)}>
          <Minus size={14} />
        </StepButton>
        <StepButton label={words.increase(label)} isDisabled={isFixed} onPress={() => move(step)}>
          <Plus size={14} />
        </StepButton>
      </Group>
      <FieldNotes description={description} error={shownError} />
    </AriaTextField>
  )
}

/** The keys duplicate the buttons, so these are no tab stops. */
function StepButton(props: {
  label: string
  isDisabled: boolean
  onPress(): void
  children: React.ReactNode
}) {
  const { label, isDisabled, onPress, children } = props
  return (
    <Button
      slot={null}
      aria-label={label}
      excludeFromTabOrder
      preventFocusOnPress
      isDisabled={isDisabled}
      onPress={onPress}
      className={styles.inline ?? ''}
    >
      {children}
    </Button>
  )
}

/** A form that stores JSON has null instead of NaN. */
function isSame(reported: number | null, value: number | null): boolean {
  return Object.is(reported, value) || (Number.isNaN(reported) && value === null)
}
