import { type AnyRouter, getElementScrollRestorationEntry, type ParsedLocation } from '@tanstack/router-core'
import { isOtherPage, scrollKeyOf } from './visits.ts'

/** Milliseconds in which a page may load its earlier content. */
const LOADING_MS = 10_000

/** Events of manual scrolling. */
const BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Restores scroll positions, also of pages that are still loading. The router scrolls once, when a page is first rendered: then it may be
 * shorter than the position, or content that loads above may move it.
 */
export class LateRestoration {
  readonly #isOtherPage = isOtherPage()
  #restores = false
  #end: (() => void) | null = null

  /** For the router's option `scrollRestoration`, which is called before it scrolls. */
  readonly restores = (shown: { location: ParsedLocation }): boolean => {
    this.#restores = this.#isOtherPage(shown)
    return this.#restores
  }

  follow(router: AnyRouter): void {
    router.subscribe('onBeforeNavigate', () => this.#end?.())
    router.subscribe('onRendered', () => {
      if (!this.#restores) return
      this.#restores = false
      const place = getElementScrollRestorationEntry(router, {
        getElement: () => window,
        getKey: scrollKeyOf,
      })
      if (place && place.scrollY > 0) this.#keep(place.scrollY)
    })
  }

  /** Repeats the scroll whenever the height of the page changes, until the user does anything. */
  #keep(top: number): void {
    this.#end?.()
    const events = new AbortController()
    const resizes = new ResizeObserver(() => {
      if (Math.abs(window.scrollY - top) >= 1) window.scrollTo(0, top)
    })
    resizes.observe(document.body)
    const end = () => {
      resizes.disconnect()
      events.abort()
      clearTimeout(timer)
    }
    const timer = setTimeout(end, LOADING_MS)
    for (const type of BY_HAND) window.addEventListener(type, end, { capture: true, signal: events.signal })
    this.#end = end
  }
}
