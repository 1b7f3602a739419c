import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { isComposing } from '../../core/keys/is-composing.ts'
import styles from './message-field.module.css'

export interface MessageFieldProps {
  label: string
  value: string
  onChange(value: string): void
  /** Enter, while the text is more than white space; Shift and Enter start a new line. */
  onSend(): void
  /** Escape. */
  onCancel?(): void
  placeholder?: string
  /** For screen readers: which keys send. */
  description: string
  maxLength?: number
  isDisabled?: boolean
  autoFocus?: boolean
  /** In the corner: send, stop. */
  actions: ReactNode
  /** Beside the actions: the recipient of the message. */
  children?: ReactNode
}

/** A text that grows while it is written, with its buttons in the same frame. */
export function MessageField(props: MessageFieldProps) {
  const {
    label,
    value,
    onChange,
    onSend,
    onCancel,
    placeholder,
    description,
    maxLength,
    isDisabled,
    autoFocus,
  } = props
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onCancel && !isComposing(event.nativeEvent)) {
      event.stopPropagation()
      onCancel()
      return
    }
    // While an input method composes a character, Enter chooses it.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    if (value.trim() !== '') onSend()
  }
  return (
    <div className={styles.frame} data-disabled={isDisabled || undefined}>
      <textarea
        className={styles.text}
        aria-label={label}
        aria-describedby={id}
        value={value}
        rows={1}
        placeholder={placeholder}
        maxLength={maxLength}
        disabled={isDisabled}
        // biome-ignore lint/a11y/noAutofocus: the caller decides, for example after "Edit"
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span id={id} className="visually-hidden">
        {description}
      </span>
      <div className={styles.foot}>
        <div className={styles.beside}>{props.children}</div>
        <div className={styles.actions}>{props.actions}</div>
      </div>
    </div>
  )
}
