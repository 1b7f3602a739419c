import { type RefObject, useEffect } from 'react'
import { scrollerOf } from './scroller-of.ts'

/** How far up from the foot of the window each bar reaches, in CSS pixels. */
const bars = new Map<Element, number>()
/** Measures each of them again: one may stand on another. */
const measures = new Set<() => void>()

/** Notices stand above `--foot`: over a bar, they would cover its buttons for as long as they are pointed at. */
function tell(): void {
  const foot = Math.max(0, ...bars.values())
  document.documentElement.style.setProperty('--foot', `${foot}px`)
  document.documentElement.toggleAttribute('data-foot', foot > 0)
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

/**
 * Says of a bar that sticks to the foot of the window how much room it takes there.
 *
 * @param property a property of the page that says it for this bar alone, for another bar that stands on it
 */
export function useFoot(bar: RefObject<HTMLElement | null>, property?: `--${string}`): void {
  useEffect(() => {
    const element = bar.current
    if (element === null) return
    const measure = () => {
      const foot = footOf(getComputedStyle(element), element.offsetHeight)
      bars.set(element, foot === 0 ? 0 : foot + below(scrollerOf(element)))
      tell()
    }
    const tellOthers = () => {
      if (property === undefined) return
      const { style } = document.documentElement
      if (bars.has(element)) style.setProperty(property, `${bars.get(element)}px`)
      else style.removeProperty(property)
      for (const other of measures) other()
    }
    const change = () => {
      measure()
      tellOthers()
    }
    measures.add(measure)
    const sizes = new ResizeObserver(change)
    sizes.observe(element)
    // The frame that it sticks in may end higher up while the bar itself keeps its size.
    sizes.observe(scrollerOf(element))
    // An attribute can move a bar, or let it stick no more, without another size.
    const attributes = new MutationObserver(change)
    attributes.observe(element, { attributes: true })
    return () => {
      sizes.disconnect()
      attributes.disconnect()
      measures.delete(measure)
      bars.delete(element)
      tell()
      tellOthers()
    }
  }, [bar, property])
}
