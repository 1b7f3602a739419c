import { type RefObject, useEffect } from 'react'
import { scrollerOf } from './scroller-of.ts'

/** How far up from the foot of the window each bar reaches, in CSS pixels. */
const bars = new Map<Element, number>()

/** Notices stand above `--foot`: over a bar, they would cover its buttons for as long as they are pointed at. */
function tell(): void {
  document.documentElement.style.setProperty('--foot', `${Math.max(0, ...bars.values())}px`)
}

/** How far up a bar reaches; 0 while it does not stick to the foot of the window, or is hidden. */
export function footOf(
  style: Pick<CSSStyleDeclaration, 'position' | 'insetBlockEnd'>,
  height: number,
): number {
  if (height === 0 || (style.position !== 'sticky' && style.position !== 'fixed')) return 0
  const offset = Number.parseFloat(style.insetBlockEnd)
  return height + (Number.isNaN(offset) ? 0 : offset)
}

/** How far above the foot of the window a frame ends, in which a bar sticks. */
function below(scroller: Element): number {
  return scroller === document.documentElement
    ? 0
    : Math.max(0, Math.round(innerHeight - scroller.getBoundingClientRect().bottom))
}

/** Says of a bar that sticks to the foot of the window how much room it takes there. */
export function useFoot(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current
    if (element === null) return
    const measure = () => {
      const foot = footOf(getComputedStyle(element), element.offsetHeight)
      bars.set(element, foot === 0 ? 0 : foot + below(scrollerOf(element)))
      tell()
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    // The frame that it sticks in may end higher up while the bar itself keeps its size.
    sizes.observe(scrollerOf(element))
    // An attribute can move a bar, or let it stick no more, without another size.
    const attributes = new MutationObserver(measure)
    attributes.observe(element, { attributes: true })
    return () => {
      sizes.disconnect()
      attributes.disconnect()
      bars.delete(element)
      tell()
    }
  }, [bar])
}
