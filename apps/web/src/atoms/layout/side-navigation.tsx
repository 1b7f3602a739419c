import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-aria-components'
import styles from './side-navigation.module.css'

export interface SideNavigationItem {
  id: string
  label: ReactNode
  icon?: ReactNode
  href: string
  isCurrent: boolean
  /** The title of the items from this one on. */
  group?: string
}

export interface SideLinksProps {
  label: string
  items: readonly SideNavigationItem[]
}

/** The visible part of the link before the current one. */
const EDGE_PX = 48

/** Links to pages that belong together; on a phone they are one line that scrolls. */
export function SideLinks({ label, items }: SideLinksProps) {
  const list = useRef<HTMLUListElement>(null)
  const current = items.find(({ isCurrent }) => isCurrent)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the current page changes
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[data-current]')
    if (link && list.current) list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft - EDGE_PX
  }, [current])
  return (
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
  )
}

/** A part of a page with links to its neighbours beside it. */
export function SideNavigation({ children, ...links }: SideLinksProps & { children: ReactNode }) {
  return (
    <div className={styles.layout}>
      <SideLinks {...links} />
      <div className={styles.body} data-side="">
        {children}
      </div>
    </div>
  )
}
