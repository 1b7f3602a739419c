import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the selected tab of a row in view, which scrolls sideways on a phone: at its start, after another choice, and when the row gets
 * narrower.
 */
export function useShownTab<E extends HTMLElement>(selected: string | undefined): RefObject<E | null> {
  const row = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after a change of the selected tab
  useEffect(() => {
    const list = row.current
    if (list === null) return
    const show = () => {
      const tab = list.querySelector('[data-selected]')
      if (tab === null) return
      const [own, around] = [tab.getBoundingClientRect(), list.getBoundingClientRect()]
      // Not `scrollIntoView`, which would scroll the page, too.
      if (own.left < around.left) list.scrollLeft -= around.left - own.left
      if (own.right > around.right) list.scrollLeft += own.right - around.right
    }
    const observer = new ResizeObserver(show)
    observer.observe(list)
    show()
    return () => observer.disconnect()
  }, [selected])
  return row
}
