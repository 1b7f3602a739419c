import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** Runs in the page: how far it scrolls sideways, in pixels. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

export type ColorScheme = 'light' | 'dark'

/** Runs before every page: a press of the mouse is a fault of the page. */
const NO_MOUSE = `addEventListener('mousedown', (event) => { if (event.isTrusted) console.error('the mouse was used') }, true)`

/** From now on, using the mouse in this window is a fault: the journey must work with the keyboard alone. */
export async function switchMouseOff({ context, page }: BrowserWindow): Promise<void> {
  await context.addInitScript(NO_MOUSE)
  await page.evaluate(NO_MOUSE)
}

/** Runs in the page: everything that the browser keeps in its database, as text. */
export const KEPT_VALUES = `(async () => {
  const ended = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const database = await ended(indexedDB.open('troupe'))
  const values = await ended(database.transaction('values').objectStore('values').getAll())
  database.close()
  return JSON.stringify(values)
})()`

/** Every look that a page is tested in. */
export const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const satisfies readonly [ColorScheme, number][]

/** Every width, in CSS pixels, that a page is tested at. */
export const WIDTHS = [1280, 360] as const

/** A browser window with its faults. */
export interface BrowserWindow {
  context: BrowserContext
  page: Page
  /** Console errors, uncaught exceptions and reports of the content security policy. */
  faults: string[]
}

export async function openWindow(
  browser: Browser,
  colorScheme: ColorScheme,
  width: number,
): Promise<BrowserWindow> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: width < 768 ? 740 : 860 },
    hasTouch: width < 768,
    isMobile: width < 768,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const faults: string[] = []
  // Tests of faults cause failed requests; the page itself reports them.
  // axe injects its script into every frame, and the frame with the page of a form refuses scripts.
  const isRefusal = (text: string) =>
    text.startsWith('Failed to load resource') ||
    text.startsWith("Blocked script execution in 'about:srcdoc'")
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', (event) =>
      console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))
  `)
  return { context, page, faults }
}

const HIDDEN_BY_DIALOGS = ['landmark-one-main', 'page-has-heading-one']
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Violations of WCAG 2.2 AA, each with the elements that have it. `'contrast'` looks for those of colors only: a color
 * scheme changes nothing else.
 */
export async function axeViolations(
  page: Page,
  what: 'everything' | 'contrast' = 'everything',
): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    // React Aria empties it some seconds after it has spoken.
    .exclude('[data-live-announcer]')
  const chosen = what === 'contrast' ? axe.withRules(['color-contrast']) : axe.withTags(STANDARDS)
  const found = await chosen.analyze()
  // Behind a dialog, the page with its landmarks and headings is hidden. Asked afterwards: a dialog of an address opens while the page
  // is analyzed.
  const isModal = (await page.locator('[role="dialog"],[role="alertdialog"]').count()) > 0
  const violations = found.violations.filter(({ id }) => !isModal || !HIDDEN_BY_DIALOGS.includes(id))
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`,
    ),
  )
}

/** The horizontal overflow of the page in pixels; 0: none. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate<number>(OVERFLOW)
}
