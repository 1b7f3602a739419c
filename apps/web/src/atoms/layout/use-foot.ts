import { type RefObject, useEffect } from 'react'
import { scrollerOf } from './scroller-of.ts'

/** The height of each bar above the bottom of the window, in CSS pixels. */
const bars = new Map<Element, number>()
/** Measures every bar again, because bars may be stacked. */
const measures = new Set<() => void>()

/** Notices are above `--foot`: over a bar, they would cover its buttons while hovered. */
function tell(): void {
  const foot = Math.max(0, ...bars.values())
  document.documentElement.style.setProperty('--foot', `${foot}px`)
  document.documentElement.toggleAttribute('data-foot', foot > 0)
}

/** The height of a bar; 0 while it is not at the bottom of the window, or is hidden. */
export function footOf(
  style: Pick<CSSStyleDeclaration, 'position' | 'insetBlockEnd'>,
  height: number,
): number {
  if (height === 0 || (style.position !== 'sticky' && style.position !== 'fixed')) return 0
  const offset = Number.parseFloat(style.insetBlockEnd)
  return height + (Number.isNaN(offset) ? 0 : offset)
}

/** The distance between the bottom of the window and of a frame with a sticky bar. */
function below(scroller: Element): number {
  return scroller === document.documentElement
    ? 0
    : Math.max(0, Math.round(innerHeight - scroller.getBoundingClientRect().bottom))
}

/**
 * Publishes the height of a bar at the bottom of the window.
 *
 * @param property a property of the page for this bar alone, for another bar stacked on it
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
    // A changed attribute can move a bar, or make it no longer sticky, without a resize.
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
