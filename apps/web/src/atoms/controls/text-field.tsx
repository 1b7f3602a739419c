import { type ClipboardEvent, type ReactNode, type Ref, useRef, useState } from 'react'
import { TextArea as AriaTextArea, TextField as AriaTextField, Group, Input } from 'react-aria-components'
import { wholeNumber } from '../../core/format/numbers.ts'
import { isPasteCut, withPasted } from '../../core/format/typed-tags.ts'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'

interface TextProps extends FieldWords {
  value: string
  onChange(value: string): void
  onBlur?(): void
  name?: string
  placeholder?: string
  isRequired?: boolean
  /** Adds "(optional)" to the label. */
  isOptional?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
  maxLength?: number
  /** For ids, code and keys. */
  isMono?: boolean
  autoFocus?: boolean
}

export interface TextFieldProps extends TextProps {
  type?: 'text' | 'date' | 'datetime-local' | 'email' | 'password' | 'search' | 'url'
  /**
   * A stored secret: its text is hidden, and spaces around a pasted text are trimmed, because they would be invisible. Not for
   * sign-ins: a password may begin with a space.
   */
  isSecret?: boolean
  autoComplete?: string
  /** Before the text: an icon, or a word. */
  icon?: ReactNode
  /** A filter in use: it is tinted. Only together with an icon. */
  isActive?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Reports that a pasted text was cut, until the text changes. */
function useCutPaste({ value, onChange, maxLength, description }: TextProps) {
  const [cut, setCut] = useState<string | null>(null)
  const isPasting = useRef(false)
  return {
    onPaste: (event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const { selectionStart, selectionEnd } = event.currentTarget
      const selected = { start: selectionStart ?? value.length, end: selectionEnd ?? value.length }
      isPasting.current = isPasteCut(value, selected, event.clipboardData.getData('text'), maxLength)
      // A full field accepts none of it, and reports no change.
      setTimeout(() => {
        isPasting.current = false
      })
    },
    onChange: (next: string) => {
      // Omitted line ends may have made room.
      const isFull = maxLength !== undefined && next.length >= maxLength
      setCut(isPasting.current && isFull ? next : null)
      isPasting.current = false
      onChange(next)
    },
    description:
      cut !== null && cut === value && maxLength !== undefined ? (
        <span role="status">{words.cut(wholeNumber(maxLength))}</span>
      ) : (
        description
      ),
  }
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { label, error, isLabelHidden, isOptional, placeholder, isMono, icon, isActive, ref, ...rest } = props
  const { isSecret = false, description: _, ...field } = rest
  const { value, onChange } = field
  const cut = useCutPaste(props)
  const onSecretPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    const input = event.currentTarget
    if (text === text.trim() || field.isDisabled || field.isReadOnly) return
    event.preventDefault()
    const selected = { start: input.selectionStart ?? value.length, end: input.selectionEnd ?? value.length }
    const room = (field.maxLength ?? Number.MAX_SAFE_INTEGER) - value.length + selected.end - selected.start
    const pasted = withPasted(value, selected, text.trim().slice(0, Math.max(0, room)))
    // Before the next render, so that the caret is kept: the field already has this text.
    input.value = pasted.text
    input.setSelectionRange(pasted.caret, pasted.caret)
    onChange(pasted.text)
  }
  const input = (
    <Input
      ref={ref}
      placeholder={placeholder}
      className={icon ? '' : inputClass(isMono)}
      onPaste={isSecret ? onSecretPaste : cut.onPaste}
    />
  )
  return (
    <AriaTextField
      {...field}
      onChange={cut.onChange}
      {...(isSecret ? { type: 'password' } : {})}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      {icon ? (
        <Group className={styles.box ?? ''} data-active={isActive || undefined}>
          <span className={styles.lead}>{icon}</span>
          {input}
        </Group>
      ) : (
        input
      )}
      <FieldNotes description={cut.description} error={error} />
    </AriaTextField>
  )
}

export interface TextAreaProps extends TextProps {
  /** Lines that are visible before it scrolls; 4 when absent. */
  rows?: number
}

/** Several lines of text. */
export function TextArea(props: TextAreaProps) {
  const {
    label,
    error,
    isLabelHidden,
    isOptional,
    placeholder,
    isMono,
    rows = 4,
    description: _,
    ...field
  } = props
  const cut = useCutPaste(props)
  return (
    <AriaTextField
      {...field}
      onChange={cut.onChange}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <AriaTextArea
        rows={rows}
        placeholder={placeholder}
        onPaste={cut.onPaste}
        className={inputClass(isMono)}
      />
      <FieldNotes description={cut.description} error={error} />
    </AriaTextField>
  )
}

function inputClass(isMono: boolean | undefined): string {
  return classNames(styles.input, isMono && styles.mono)
}
