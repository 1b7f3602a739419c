import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import { axeViolations, LOOKS, openWindow, sidewaysPixels } from './browser.ts'
import { startLocalServer } from './local-server.ts'

/**
 * `npm run look -w apps/web -- /agents "/settings/keys?create=1"`: screenshots of pages below the Playground in light and dark,
 * wide and narrow, in `apps/web/pictures`, and their faults.
 */
const FOLDER = join(import.meta.dirname, '..', 'pictures')
const SETTLE_MS = 700

const paths = process.argv.slice(2)
const say = (text: string) => process.stdout.write(`${text}\n`)
const nameOf = (path: string) => path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home'

const executable = findChromium()
if (executable === null) throw new Error('There is no Chromium.')
mkdirSync(FOLDER, { recursive: true })
ensureWebBuilt()
await using server = await startLocalServer()
const browser = await startChromium(executable)
for (const [scheme, width] of LOOKS) {
  const { context, page, faults } = await openWindow(browser, scheme, width)
  await page.goto(server.url)
  if (paths.includes('sign-in'))
    await page.screenshot({ path: join(FOLDER, `sign-in-${scheme}-${width}.png`) })
  const signedIn = await page.request.post(`${server.url}/api/builder/v1/session`, {
    data: server.owner,
    headers: { origin: server.url },
  })
  if (!signedIn.ok()) throw new Error(`The owner cannot sign in: ${signedIn.status()}`)
  for (const path of paths.filter((one) => one.startsWith('/'))) {
    await page.goto(`${server.url}/o/playground${path === '/' ? '' : path}`)
    await page.waitForTimeout(SETTLE_MS)
    await page
      .getByRole('status', { name: 'Loading' })
      .first()
      .waitFor({ state: 'detached', timeout: 15_000 })
    const file = join(FOLDER, `${nameOf(path)}-${scheme}-${width}.png`)
    await page.screenshot({ path: file, fullPage: true })
    const problems = [...faults.splice(0), ...(await axeViolations(page))]
    const pixels = await sidewaysPixels(page)
    if (pixels > 0) problems.push(`scrolls sideways by ${pixels} px`)
    say(`${problems.length === 0 ? 'good' : 'BAD '}  ${file}`)
    for (const problem of problems) say(`      ${problem}`)
  }
  await context.close()
}
await browser.close()
