import { type RefObject, useLayoutEffect } from 'react'

/** What stays free below: the room of a bar that sticks to the foot of the window. */
const FOOT_PX = 72
const LEAST_PX = 320

/** Keeps an element that sticks to the top as high as what is left of the window below its upper edge. */
export function useRestOfWindow(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const fit = () => {
      const { current } = element
      if (current === null) return
      const rest = innerHeight - current.getBoundingClientRect().top - FOOT_PX
      current.style.height = `${Math.max(LEAST_PX, Math.round(rest))}px`
    }
    fit()
    document.addEventListener('scroll', fit, { capture: true, passive: true })
    addEventListener('resize', fit)
    return () => {
      document.removeEventListener('scroll', fit, { capture: true })
      removeEventListener('resize', fit)
    }
  }, [element])
}
