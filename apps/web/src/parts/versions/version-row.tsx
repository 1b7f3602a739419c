import type { ReactNode } from 'react'
import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { ActionMenu, type MenuProps } from '../../atoms/overlays/menu.tsx'
import styles from './versions.module.css'

export interface VersionRowProps {
  /** The badge: `v3`, live, draft. */
  mark: ReactNode
  label?: string | null
  /** Its author and time. */
  made: ReactNode
  /** Further lines: runs, sizes, changes. */
  facts?: ReactNode
  note?: ReactNode
  isChosen?: boolean
  /** It has just joined the list. */
  isNew?: boolean
  /** Shows its changes; null: it can't be compared. */
  onChoose: (() => void) | null
  /** null: no actions. */
  actions: MenuProps | null
}

/** One version or state in a list of versions. A press shows its changes. */
export function VersionRow(props: VersionRowProps) {
  const { mark, label = null, made, facts, note, isChosen = false, isNew = false, onChoose, actions } = props
  const texts = (
    <>
      <span className={styles.head}>
        {mark}
        {label !== null && label !== '' && <strong className={styles.label}>{label}</strong>}
      </span>
      <span className={styles.quiet}>{made}</span>
      {facts && <span className={styles.quiet}>{facts}</span>}
    </>
  )
  return (
    <li className={styles.row} data-chosen={isChosen || undefined} data-new={isNew || undefined}>
      <div className={styles.texts}>
        {onChoose ? (
          <BareButton className={styles.choose} onPress={onChoose} aria-pressed={isChosen}>
            {texts}
          </BareButton>
        ) : (
          <div className={styles.choose}>{texts}</div>
        )}
        {note && <div className={styles.note}>{note}</div>}
      </div>
      {actions && <ActionMenu {...actions} />}
    </li>
  )
}
