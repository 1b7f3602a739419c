import { type RefObject, useLayoutEffect } from 'react'

/** The free space below: at least the height of the bar of unsaved changes, so that nothing moves when it appears. */
const FOOT_PX = 72
const GAP_PX = 12
const LEAST_PX = 320

/** Keeps a sticky element as high as the rest of the window below its upper edge. */
export function useRestOfWindow(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const fit = () => {
      const { current } = element
      if (current === null) return
      const bar = document.querySelector<HTMLElement>('[data-save-bar]')
      const foot = Math.max(FOOT_PX, bar === null ? 0 : bar.offsetHeight + 2 * GAP_PX)
      const rest = innerHeight - current.getBoundingClientRect().top - foot
      current.style.height = `${Math.max(LEAST_PX, Math.round(rest))}px`
    }
    fit()
    document.addEventListener('scroll', fit, { capture: true, passive: true })
    addEventListener('resize', fit)
    // The bar makes the page higher when it appears, and when its text grows.
    const growth = new ResizeObserver(fit)
    growth.observe(document.body)
    return () => {
      document.removeEventListener('scroll', fit, { capture: true })
      removeEventListener('resize', fit)
      growth.disconnect()
    }
  }, [element])
}
