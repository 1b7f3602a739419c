import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { scrollerOf } from './scroller-of.ts'

const NEAR_PX = 120

/**
 * Keeps the end of a growing text in view while the reader is at the end; a reader who scrolls up is not moved. The
 * element is the last one in its scroll container.
 *
 * @param content changes whenever the text does; null: there is nothing to follow
 * @param layout changes when another element becomes the scroll container
 */
export function useFollowEnd(
  content: unknown,
  layout: unknown,
): { end: RefObject<HTMLDivElement | null>; jump(): void } {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout decides which element scrolls
  useEffect(() => {
    const scroller = scrollerOf(end.current)
    const target = scroller === document.documentElement ? window : scroller
    const note = () => {
      isAtEnd.current = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < NEAR_PX
    }
    target.addEventListener('scroll', note, { passive: true })
    return () => target.removeEventListener('scroll', note)
  }, [layout])
  useLayoutEffect(() => {
    if (content === null || !isAtEnd.current) return
    const scroller = scrollerOf(end.current)
    scroller.scrollTop = scroller.scrollHeight
  }, [content])
  return {
    end,
    jump: () => {
      isAtEnd.current = true
    },
  }
}
