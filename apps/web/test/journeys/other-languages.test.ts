import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { answered, ask, log } from './playground-steps.ts'

describe.skipIf(CHROMIUM === null)('people who write and read in other languages', () => {
  let journey: Journey
  let agentPath = ''
  beforeAll(async () => {
    journey = await startJourney()
    agentPath = `/o/${journey.slug}/agents/${journey.server.seed.agents.organization}?tab=playground`
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test('an Enter that ends a composition sends nothing', async () => {
    const { page } = await journey.open(await journey.person('member'), agentPath)
    const field = page.getByRole('textbox', { name: 'Message', exact: true })
    await field.fill('にほんご')
    // As Safari reports it after `compositionend`: key Enter, key code 229, not composing.
    const session = await page.context().newCDPSession(page)
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    expect(await field.inputValue()).toBe('にほんご')
    expect(await log(page).getByRole('article').count()).toBe(0)
    await page.keyboard.press('Enter')
    await answered(page, 1)
  }, 60_000)

  test('a page translated by the browser keeps working, and shows changes', async () => {
    const { page, faults } = await journey.open(await journey.person('member'), agentPath)
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
    await translate(page)
    await ask(page, 'Tell me a story [[pace: 20]]')
    await answered(page, 1)
    await ask(page, 'And another one [[pace: 20]]')
    await answered(page, 2)
    for (const tab of ['Versions', 'Playground']) {
      await page.getByRole('tab', { name: tab }).first().click()
      await page.waitForLoadState('networkidle')
    }
    await page.getByText('Tell me a story').first().waitFor()
    expect(await page.getByText('stopped working').count()).toBe(0)
    expect(faults).toEqual([])
  }, 120_000)
})

/** Does what translators of browsers do: text nodes become `<font><font>…</font></font>` (facebook/react#11538). */
const translate = (page: Page) =>
  page.evaluate(`
    const kept = 'script, style, textarea, font, [translate="no"]'
    const replace = (node) => {
      if (!(node instanceof Text) || !node.data.trim() || node.parentElement?.closest(kept)) return
      const outer = document.createElement('font')
      outer.append(document.createElement('font'))
      outer.firstElementChild.append(node.data)
      node.replaceWith(outer)
    }
    const replaceAll = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) texts.push(walker.currentNode)
      for (const text of texts) replace(text)
    }
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') replace(target)
        for (const node of addedNodes) node instanceof Text ? replace(node) : replaceAll(node)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    replaceAll(document.body)`)
