import type { ClipboardEvent, ReactNode, Ref } from 'react'
import { TextArea as AriaTextArea, TextField as AriaTextField, Group, Input } from 'react-aria-components'
import { withPasted } from '../../core/format/typed-tags.ts'
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
  /** Says "(optional)" beside the label. */
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
   * A secret that is stored: what is typed is hidden, and spaces around what is pasted are left out, because nobody would see them. Not for
   * who signs in: a password may begin with a space.
   */
  isSecret?: boolean
  autoComplete?: string
  icon?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { label, description, error, isLabelHidden, isOptional, placeholder, isMono, icon, ref, ...rest } =
    props
  const { isSecret = false, ...field } = rest
  const { value, onChange } = field
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    const input = event.currentTarget
    if (text === text.trim() || field.isDisabled || field.isReadOnly) return
    event.preventDefault()
    const selected = { start: input.selectionStart ?? value.length, end: input.selectionEnd ?? value.length }
    const room = (field.maxLength ?? Number.MAX_SAFE_INTEGER) - value.length + selected.end - selected.start
    const pasted = withPasted(value, selected, text.trim().slice(0, Math.max(0, room)))
    // Before the next render, which leaves the caret where it is in a field that has its text already.
    input.value = pasted.text
    input.setSelectionRange(pasted.caret, pasted.caret)
    onChange(pasted.text)
  }
  const input = (
    <Input
      ref={ref}
      placeholder={placeholder}
      className={icon ? '' : inputClass(isMono)}
      {...(isSecret ? { onPaste } : {})}
    />
  )
  return (
    <AriaTextField
      {...field}
      {...(isSecret ? { type: 'password' } : {})}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      {icon ? (
        <Group className={styles.box ?? ''}>
          <span className={styles.lead}>{icon}</span>
          {input}
        </Group>
      ) : (
        input
      )}
      <FieldNotes description={description} error={error} />
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
    description,
    error,
    isLabelHidden,
    isOptional,
    placeholder,
    isMono,
    rows = 4,
    ...field
  } = props
  return (
    <AriaTextField
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <AriaTextArea rows={rows} placeholder={placeholder} className={inputClass(isMono)} />
      <FieldNotes description={description} error={error} />
    </AriaTextField>
  )
}

function inputClass(isMono: boolean | undefined): string {
  return classNames(styles.input, isMono && styles.mono)
}
