import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ColorScheme, openWindow } from '../browser.ts'
import { type LocalServer, startLocalServer } from '../local-server.ts'
import { preparePlayground } from './prepare-playground.ts'

const CHROMIUM = findChromium()
const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const MADE = join(ROOT, 'apps/web/pictures')
const GUIDE = join(ROOT, 'docs/guides/pictures')
const MOST_BYTES = 220_000
/** Setup steps before the guides. */
const IN_README = ['map.png', 'team.png']

/** The pictures of the guides: what each shows of a Playground in use, and how. */
const PICTURES: Readonly<
  Record<
    string,
    {
      place: keyof Awaited<ReturnType<typeof preparePlayground>>
      scheme: ColorScheme
      width: 1_280 | 360
      /** The content of the complete page. */
      shows: RegExp
    }
  >
> = {
  'home.png': { place: 'home', scheme: 'light', width: 1_280, shows: /Refund/ },
  'agent.png': { place: 'agent', scheme: 'light', width: 1_280, shows: /tokens/ },
  'team.png': { place: 'team', scheme: 'light', width: 1_280, shows: /Dynamic delegation/ },
  'trace.png': { place: 'trace', scheme: 'dark', width: 1_280, shows: /Newsroom/ },
  'workflow.png': { place: 'workflow', scheme: 'light', width: 1_280, shows: /Classify/ },
  'canvas.png': { place: 'canvas', scheme: 'light', width: 1_280, shows: /Edit/ },
  'step.png': { place: 'step', scheme: 'light', width: 1_280, shows: /trigger\.body\.subject/ },
  'repair.png': { place: 'repair', scheme: 'light', width: 1_280, shows: /Use trigger\.body\.text/ },
  'map.png': { place: 'map', scheme: 'light', width: 1_280, shows: /Settings in this version/ },
  'review.png': { place: 'review', scheme: 'light', width: 360, shows: /Approve/ },
}

describe.skipIf(CHROMIUM === null)('the pictures of the guides', () => {
  let server: LocalServer
  let browser: Browser
  beforeAll(async () => {
    ensureWebBuilt()
    server = await startLocalServer()
    browser = await startChromium(CHROMIUM ?? '')
    await mkdir(MADE, { recursive: true })
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const complete = async (page: Page, shows: RegExp) => {
    await page.getByRole('main').getByText(shows).first().waitFor()
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    await page.waitForLoadState('networkidle')
  }

  // `UPDATE_PICTURES=1 npm run test:full -- guide/pictures` retakes them for the guides.
  test('show the pages of the Playground as they are, each in a small file', async () => {
    const places = await preparePlayground(server)
    for (const [file, { place, scheme, width, shows }] of Object.entries(PICTURES)) {
      const { context, page, faults } = await openWindow(browser, scheme, width)
      const { owner: data, url } = server
      await page.request.post(`${url}/api/builder/v1/session`, { data, headers: { origin: url } })
      await page.goto(url + places[place])
      await complete(page, shows)
      await page.screenshot({ path: join(MADE, file) })
      expect((await stat(join(MADE, file))).size, file).toBeLessThan(MOST_BYTES)
      expect(faults, file).toEqual([])
      await context.close()
      if (process.env.UPDATE_PICTURES === '1') await copyFile(join(MADE, file), join(GUIDE, file))
    }
    expect((await readdir(GUIDE)).sort()).toEqual(Object.keys(PICTURES).sort())
    const guides = await Promise.all(
      ['builder.md', 'editor.md'].map((guide) => readFile(join(GUIDE, '..', guide), 'utf8')),
    )
    const guide = guides.join('\n')
    for (const file of Object.keys(PICTURES).filter((one) => !IN_README.includes(one)))
      expect(guide, file).toContain(`pictures/${file}`)
  })
})
