import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MemberRole } from '@troupe/contract'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import { type SeededPerson, seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  axeViolations,
  type BrowserWindow,
  type ColorScheme,
  openWindow,
  sidewaysPixels,
} from '../browser.ts'
import { tellOnFailure } from './tell-on-failure.ts'

const PICTURES = join(import.meta.dirname, '..', '..', 'pictures')

/** null: there is no Chromium here; journeys skip themselves with `describe.skipIf(CHROMIUM === null)`. */
export const CHROMIUM = findChromium()

/** A server with the built app and a browser: one of each for a test file. */
export interface Journey extends AsyncDisposable {
  server: TestServer
  /** Origin of the server. */
  url: string
  /** The slug of the seeded organization. */
  slug: string
  browser: Browser
  /** Adds a member and returns how to sign in. */
  person(role: MemberRole, name?: string): Promise<SeededPerson>
  /** A fresh window, in which the user is signed in unless it is null, at a path such as `/o/acme`. */
  open(person: SeededPerson | null, path: string, look?: { width?: number }): Promise<BrowserWindow>
}

/** The options of the server, and the port that it listens on; any free one when absent. */
type JourneyOptions = Parameters<typeof startTestServer>[0] & { port?: number }

/** Builds the app if needed, starts a server in this process and a browser. */
export async function startJourney({ port = 0, ...options }: JourneyOptions = {}): Promise<Journey> {
  ensureWebBuilt()
  await using resources = new AsyncDisposableStack()
  const server = resources.use(await startTestServer(options))
  const url = await server.app.listen({ host: '127.0.0.1', port })
  const browser = await startChromium(CHROMIUM ?? '')
  resources.defer(() => browser.close())
  const { organizationId } = server.seed
  const organizations = await server.context.database.read.organizations.all()
  const organization = organizations.find(({ id }) => id === organizationId)
  const owned = resources.move()
  return {
    server,
    url,
    slug: organization?.slug ?? '',
    browser,
    person: (role, name = 'Ana') => seedPerson(server.context.database, { organizationId, role, name }),
    open: async (person, path, { width = 1280 } = {}) => {
      const window = await openWindow(browser, 'light', width)
      tellOnFailure(window)
      if (person) await signInWindow(window.page, url, person)
      await window.page.goto(url + path)
      return window
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function signInWindow(page: Page, url: string, { email, password }: SeededPerson): Promise<void> {
  const answer = await page.request.post(`${url}/api/builder/v1/session`, {
    data: { email, password },
    headers: { origin: url },
  })
  expect(answer.status()).toBe(200)
}

/**
 * The faults of a page in light and dark: violations of WCAG 2.2 AA, console errors, reports of the policy, horizontal overflow.
 * Screenshots are stored in `apps/web/pictures`.
 */
export async function lookFaults({ page, faults }: BrowserWindow, name: string): Promise<string[]> {
  await mkdir(PICTURES, { recursive: true })
  // From its top: elements half covered by a bar further down are reachable by scrolling, which the rule of target sizes does not
  // consider.
  await page.evaluate('scrollTo(0, 0)')
  const picture = (scheme: ColorScheme) =>
    page.screenshot({ path: join(PICTURES, `${name}-${scheme}.png`), fullPage: true })
  await picture('light')
  const found = await axeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture('dark')
  found.push(...(await axeViolations(page, 'contrast')))
  await page.emulateMedia({ colorScheme: 'light' })
  found.push(...faults.splice(0))
  const pixels = await sidewaysPixels(page)
  if (pixels > 0) found.push(`scrolls sideways by ${pixels} px`)
  return found
}

/** Fails if a page has faults. */
export async function expectGood(window: BrowserWindow, name: string): Promise<void> {
  expect(await lookFaults(window, name)).toEqual([])
}
