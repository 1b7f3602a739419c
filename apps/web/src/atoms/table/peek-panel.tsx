import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { LinkButton } from '../controls/text-link.tsx'
import { rowStep, useLetterKeys } from '../keys/letter-keys.ts'
import styles from './peek-panel.module.css'

export interface PeekPanelProps {
  ref: Ref<HTMLElement>
  /** The name of the row. */
  title: string
  /** The page of the row. */
  href: string | undefined
  onClose(): void
  /** Back to the row, the summary stays open. */
  onBack(): void
  /** To another row. */
  onStep(rows: number): void
  /** Before its link is followed. */
  onOpen(): void
  children: ReactNode
}

/** The summary of the row that has the focus, beside the list. The list stays usable: arrows move along its rows. */
export function PeekPanel({ ref, title, href, onClose, onBack, onStep, onOpen, children }: PeekPanelProps) {
  const hasLetters = useLetterKeys()
  const actionOf = (event: KeyboardEvent): (() => void) | null => {
    const { key, shiftKey, target, currentTarget } = event
    if (event.metaKey || event.ctrlKey || event.altKey) return null
    if (key === 'Escape') return onClose
    if (target !== currentTarget) return null
    if (key === ' ') return onClose
    if (key === 'Tab' && shiftKey) return onBack
    const step = rowStep(key, hasLetters)
    return step === null ? null : () => onStep(step)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf(event)
    if (action === null) return
    event.preventDefault()
    action()
  }
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={words.summary(title)}
      className={styles.panel}
      onKeyDown={onKeyDown}
    >
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <Button
          emphasis="quiet"
          size="small"
          icon={<X size={16} />}
          aria-label={words.close}
          onPress={onClose}
        />
      </header>
      <div className={styles.body}>{children}</div>
      {href !== undefined && (
        <footer className={styles.foot}>
          <span className={styles.hint}>{words.peekKeys}</span>
          <LinkButton href={href} size="small" onPress={onOpen}>
            {words.open}
          </LinkButton>
        </footer>
      )}
    </section>
  )
}
