import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** Runs in the page: how far it scrolls sideways, in pixels. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

export type ColorScheme = 'light' | 'dark'

/** Every look that a page is tested in. */
export const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const satisfies readonly [ColorScheme, number][]

/** A browser window with what went wrong in it. */
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
  // A failed request is what tests of faults cause; the page itself says so in its place.
  const isRefusal = (text: string) => text.startsWith('Failed to load resource')
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

/** Violations of WCAG 2.2 AA, each with the elements that have it. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Behind a dialog, the page with its landmarks and headings is hidden.
  const isModal = (await page.locator('[role="dialog"],[role="alertdialog"]').count()) > 0
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    // React Aria empties it some seconds after it has spoken.
    .exclude('[data-live-announcer]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .disableRules(isModal ? ['landmark-one-main', 'page-has-heading-one'] : [])
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`,
    ),
  )
}

/** How many pixels the page scrolls sideways; 0 is right. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate<number>(OVERFLOW)
}
