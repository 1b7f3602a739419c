import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { KeptPart } from '../../../atoms/layout/kept-part.tsx'
import { classNames } from '../../../atoms/styles/class-names.ts'
import styles from './editor.module.css'

export interface EditorSectionProps {
  title: string
  detail: string
  /** What it says while it is closed. */
  summary: string
  isOpen: boolean
  onToggle(): void
  /** Whether something in it is not saved yet. */
  isChanged: boolean
  children: ReactNode
}

/** A part of the editor that opens: closed, it says what is in it. */
export function EditorSection(props: EditorSectionProps) {
  const { title, detail, summary, isOpen, onToggle, isChanged, children } = props
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 className={styles.sectionTitle}>
        <BareButton className={styles.sectionHead} aria-expanded={isOpen} onPress={onToggle}>
          <ChevronRight
            size={16}
            aria-hidden="true"
            className={classNames(styles.chevron, isOpen && styles.open)}
          />
          <span id={id} className={styles.sectionName}>
            {title}
          </span>
          {isChanged && <span className={styles.changed} />}
          <span className={styles.sectionSummary}>{isOpen ? detail : summary}</span>
        </BareButton>
      </h2>
      <KeptPart isShown={isOpen} className={styles.sectionBody}>
        {children}
      </KeptPart>
    </section>
  )
}
