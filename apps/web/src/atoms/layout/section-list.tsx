import { useEffect, useRef, useState } from 'react'
import styles from './section-list.module.css'

export interface SectionListItem {
  id: string
  label: string
  /** Whether the section has unsaved changes. */
  isChanged: boolean
}

export interface SectionListProps {
  label: string
  items: readonly SectionListItem[]
  /** Opens a section that is folded. */
  onGo?(id: string): void
}

/** The target element of a {@link SectionList} link. */
export const sectionPlace = (id: string) => `section.${id}`

/** A section counts as the current one while it reaches into this part of the window. */
const READ_AT = '-15% 0px -70% 0px'

/** The list of the sections of a long page: beside them, or, without room, a sticky line above them. */
export function SectionList({ label, items, onGo }: SectionListProps) {
  const list = useRef<HTMLUListElement>(null)
  const current = useCurrentSection(items.map(({ id }) => id).join(' '))
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the current section changes
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[data-current]')
    // Only the line is scrolled, never the page.
    if (entry && list.current) list.current.scrollLeft = entry.offsetLeft - list.current.offsetLeft - 48
  }, [current])
  return (
    <nav aria-label={label} className={styles.list}>
      <ul ref={list}>
        {items.map(({ id, label: text, isChanged }) => (
          <li key={id} data-current={id === current ? '' : undefined}>
            <a
              href={`#${sectionPlace(id)}`}
              className={styles.entry}
              aria-current={id === current ? 'true' : undefined}
              onClick={(event) => {
                // The URL contains the open sections, not the scroll position.
                event.preventDefault()
                onGo?.(id)
                requestAnimationFrame(() => showSection(id))
              }}
            >
              {text}
              {isChanged && <span className={styles.changed} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function showSection(id: string): void {
  const section = document.getElementById(sectionPlace(id))
  section?.scrollIntoView({ block: 'start' })
  section?.querySelector<HTMLElement>('h2[tabindex],h2 > button')?.focus({ preventScroll: true })
}

/** The current section: the first one that reaches into the upper part of the window; null until one does. */
function useCurrentSection(ids: string): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    const order = ids.split(' ')
    const seen = new Set<string>()
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) seen.add(target.id)
          else seen.delete(target.id)
        }
        const first = order.find((id) => seen.has(sectionPlace(id)))
        if (first !== undefined) setCurrent(first)
      },
      { rootMargin: READ_AT },
    )
    for (const id of order) {
      const section = document.getElementById(sectionPlace(id))
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])
  return current
}
