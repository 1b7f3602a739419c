import { type RefObject, useEffect } from 'react'

/** How far up from the foot of the window each bar reaches, in CSS pixels. */
const bars = new Map<Element, number>()

/** Notices stand above `--foot`: over a bar, they would cover its buttons for as long as they are pointed at. */
function tell(): void {
  document.documentElement.style.setProperty('--foot', `${Math.max(0, ...bars.values())}px`)
}

/** Says of a bar that sticks to the foot of the window how much room it takes there. */
export function useFoot(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current
    if (element === null) return
    const measure = () => {
      const offset = Number.parseFloat(getComputedStyle(element).insetBlockEnd)
      bars.set(element, element.offsetHeight + (Number.isNaN(offset) ? 0 : offset))
      tell()
    }
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => {
      watch.disconnect()
      bars.delete(element)
      tell()
    }
  }, [bar])
}
