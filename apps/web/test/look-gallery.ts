import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { axeViolations, LOOKS, openWindow, sidewaysPixels } from './browser.ts'
import { serveGallery } from './serve-gallery.ts'

/** `npm run look:gallery -w apps/web`: screenshots of every atom, in `apps/web/pictures`, and their faults. */
const FOLDER = join(import.meta.dirname, '..', 'pictures')
const OVERLAYS = ['dialog', 'sheet', 'confirm', 'conflict']
const say = (text: string) => process.stdout.write(`${text}\n`)

const executable = findChromium()
if (executable === null) throw new Error('There is no Chromium.')
mkdirSync(FOLDER, { recursive: true })
using gallery = await serveGallery()
const browser = await startChromium(executable)
for (const [scheme, width] of LOOKS) {
  const { context, page, faults } = await openWindow(browser, scheme, width)
  const look = async (name: string) => {
    const file = join(FOLDER, `gallery-${name}-${scheme}-${width}.png`)
    await page.screenshot({ path: file, fullPage: name === 'page' })
    const problems = [...faults.splice(0), ...(await axeViolations(page))]
    const pixels = await sidewaysPixels(page)
    if (pixels > 0) problems.push(`scrolls sideways by ${pixels} px`)
    say(`${problems.length === 0 ? 'good' : 'BAD '}  ${file}`)
    for (const problem of problems) say(`      ${problem}`)
  }
  await page.goto(gallery.url)
  await page.locator('.cm-content').waitFor()
  await page.waitForTimeout(300)
  await look('page')
  for (const name of OVERLAYS) {
    await page.getByRole('button', { name: `Open ${name}` }).click()
    await page.getByRole(name === 'confirm' ? 'alertdialog' : 'dialog').waitFor()
    await look(name)
    await page.keyboard.press('Escape')
  }
  await context.close()
}
await browser.close()
