import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import styles from './action-card.module.css'

export interface ActionCardProps {
  href: string
  /** An icon of 16 px, or a tile. */
  icon: ReactNode
  title: string
  detail: string
}

/** A next step, as a card. */
export function ActionCard({ href, icon, title, detail }: ActionCardProps) {
  return (
    <Link href={href} className={styles.card ?? ''}>
      <span className={styles.icon}>{icon}</span>
      <span>
        <span className={styles.title}>{title}</span>
        <span className={styles.detail}>{detail}</span>
      </span>
    </Link>
  )
}
