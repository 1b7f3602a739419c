import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-aria-components'
import { classNames } from '../styles/class-names.ts'
import styles from './side-navigation.module.css'

export interface SideNavigationItem {
  id: string
  label: string
  icon?: ReactNode
  href: string
  isCurrent: boolean
  /** The title of the items from this one on. */
  group?: string
}

export interface SideNavigationProps {
  label: string
  items: readonly SideNavigationItem[]
  /** `wide` for tables. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** The visible part of the link before the current one. */
const EDGE_PX = 48

/** Pages that belong together, with links to each of them; on a phone the links are one line that scrolls. */
export function SideNavigation({ label, items, width = 'narrow', children }: SideNavigationProps) {
  const list = useRef<HTMLUListElement>(null)
  const current = items.find(({ isCurrent }) => isCurrent)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current page says when to scroll
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[data-current]')
    if (link && list.current) list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft - EDGE_PX
  }, [current])
  return (
    <div className={classNames(styles.layout, width === 'wide' && styles.wide)}>
      <nav aria-label={label} className={styles.nav}>
        <ul ref={list}>
          {items.map(({ id, label: text, icon, href, isCurrent, group }) => (
            <li key={id}>
              {group !== undefined && <span className={styles.group}>{group}</span>}
              <Link
                href={href}
                className={styles.item ?? ''}
                {...(isCurrent ? { 'aria-current': 'page', 'data-current': '' } : {})}
              >
                {icon}
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.body} data-side="">
        {children}
      </div>
    </div>
  )
}
