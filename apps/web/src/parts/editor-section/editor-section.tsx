import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { KeptPart } from '../../atoms/layout/kept-part.tsx'
import { sectionPlace } from '../../atoms/layout/section-list.tsx'
import { classNames } from '../../atoms/styles/class-names.ts'
import styles from './editor-section.module.css'

export interface EditorSectionProps {
  /** Its position in the list of sections. */
  id: string
  title: string
  detail?: ReactNode
  /** At the end of the title of a section that is always open. */
  end?: ReactNode
  /** Whether it contains unsaved changes. */
  isChanged: boolean
  /** For a section that opens; without it, the section is always open. */
  fold?: {
    /** Its summary while closed. */
    summary: string
    isOpen: boolean
    onToggle(): void
  }
  children: ReactNode
}

/** A section of an agent's or a team's settings. A foldable one shows a summary while closed. */
export function EditorSection({ id, title, detail, end, isChanged, fold, children }: EditorSectionProps) {
  const titleId = useId()
  const name = (
    <>
      <span id={titleId} className={styles.name}>
        {title}
      </span>
      {isChanged && <span className={styles.changed} />}
    </>
  )
  return (
    <section className={styles.section} id={sectionPlace(id)} aria-labelledby={titleId}>
      {fold ? (
        <>
          <h2 className={styles.title}>
            <BareButton className={styles.head} aria-expanded={fold.isOpen} onPress={fold.onToggle}>
              <ChevronRight
                size={16}
                aria-hidden="true"
                className={classNames(styles.chevron, fold.isOpen && styles.open)}
              />
              {name}
              <span className={styles.summary}>{fold.isOpen ? detail : fold.summary}</span>
            </BareButton>
          </h2>
          <KeptPart isShown={fold.isOpen} className={styles.body}>
            {children}
          </KeptPart>
        </>
      ) : (
        <>
          <div className={styles.fixedHead}>
            <h2 className={styles.title} tabIndex={-1}>
              {name}
            </h2>
            {end}
            {detail && <p className={styles.detail}>{detail}</p>}
          </div>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </section>
  )
}
