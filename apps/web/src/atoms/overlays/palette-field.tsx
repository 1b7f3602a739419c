import { Search } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { isComposing } from '../../core/keys/is-composing.ts'
import styles from './palette.module.css'

interface PaletteFieldProps {
  label: string
  placeholder: string
  text: string
  onText(text: string): void
  onEnter(): void
  onClose(): void
}

/** The field of the command palette alone, without React Aria: a placeholder until its code has loaded, so that no typing is lost. */
export function PaletteField({ label, placeholder, text, onText, onEnter, onClose }: PaletteFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement
    field.current?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const act = { Escape: onClose, Enter: onEnter, Tab: () => undefined }[event.key]
    if (!act) return
    // There is nothing else in the dialog, so the focus stays.
    event.preventDefault()
    act()
  }
  return (
    <div
      className={styles.scrim}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div role="dialog" aria-modal="true" aria-label={label} className={styles.modal}>
        <div className={styles.field}>
          <Search size={16} aria-hidden="true" />
          <input
            ref={field}
            type="search"
            aria-label={label}
            placeholder={placeholder}
            className={styles.input}
            value={text}
            onChange={({ target }) => onText(target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
    </div>
  )
}
