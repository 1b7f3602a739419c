import { ownOrigin, signIn } from '@troupe/test-kit/seed-person'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { newWorkflow, PAY_GRAPH, workflowPath } from './workflow-steps.ts'

const here = (page: Page) => page.getByRole('button', { name: /(person is|people are) here$/ })
const others = (page: Page, count: number) =>
  page.getByRole('button', {
    name: count === 1 ? '1 other person is here' : `${count} other people are here`,
  })

async function menuOf(page: Page): Promise<string[]> {
  await here(page).click()
  const entries = await page.getByRole('menuitem').allInnerTexts()
  await page.keyboard.press('Escape')
  return entries.map((text) => text.replaceAll('\n', ' '))
}

describe.skipIf(CHROMIUM === null)('the people at a workflow', { timeout: 180_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test.each([360, 1_440])('see each other and their steps, until they leave, at %d pixels', async (width) => {
    const workflowId = await newWorkflow(journey, `Together ${width}`)
    const open = async (role: 'member' | 'viewer', name: string, search: string) =>
      journey.open(await journey.person(role, name), workflowPath(journey, workflowId, search), { width })
    const vera = await open('viewer', 'Vera Lake', '')
    const ana = await open('member', 'Ana Stone', '?node=pay')
    await others(vera.page, 1).waitFor()
    await others(ana.page, 1).waitFor()
    expect(await menuOf(vera.page)).toEqual(['Ana Stone at “Pay”'])
    if (width > 1_000) expect(await menuOf(ana.page)).toEqual(['Vera Lake no step open'])
    await vera.page.getByRole('row', { name: 'Pay, Ana Stone has this step open' }).waitFor()
    await expectGood(vera, `workflow-presence-list-${width}`)
    // A user's entry opens their step.
    await here(vera.page).click()
    await vera.page.getByRole('menuitem', { name: 'Ana Stone' }).click()
    await expect.poll(() => vera.page.url()).toContain('node=pay')
    await vera.page.goto(journey.url + workflowPath(journey, workflowId, '?view=map&node=start'))
    if (width > 1_000) {
      await expect.poll(() => menuOf(ana.page)).toEqual(['Vera Lake at “Start”'])
      await vera.page
        .locator('[data-step="pay"]')
        .getByText('Ana Stone has this step open')
        .waitFor({ state: 'attached' })
    }
    await expectGood(vera, `workflow-presence-canvas-${width}`)
    if (width > 1_000) {
      // Far away, steps are drawn: so are the initials.
      await vera.page.addInitScript(
        `{ const draw = CanvasRenderingContext2D.prototype.fillText; globalThis.drawn = new Set()
           CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { drawn.add(text); draw.call(this, text, ...at) } }`,
      )
      await vera.page.goto(journey.url + workflowPath(journey, workflowId, '?view=map&at=-500,-500,0.15'))
      await expect.poll(() => vera.page.evaluate(`drawn.has('AS')`), { timeout: 20_000 }).toBe(true)
      await expectGood(vera, `workflow-presence-far-${width}`)
    }
    await ana.page.goto(`${journey.url}/o/${journey.slug}/workflows`)
    await here(vera.page).waitFor({ state: 'detached' })
    expect([...ana.faults, ...vera.faults]).toEqual([])
    await Promise.all([ana.context.close(), vera.context.close()])
  })

  test('disappear when they sign out, and return after a lost network', async () => {
    const workflowId = await newWorkflow(journey, 'Signed out')
    const at = workflowPath(journey, workflowId)
    const vera = await journey.open(await journey.person('viewer', 'Vera Lake'), at)
    const ana = await journey.open(await journey.person('member', 'Ana Stone'), at)
    await others(vera.page, 1).waitFor()
    await vera.context.setOffline(true)
    await vera.page.evaluate('{ const now = Date.now(); Date.now = () => now + 60_000 }')
    await here(vera.page).waitFor({ state: 'detached' })
    await vera.context.setOffline(false)
    await others(vera.page, 1).waitFor()
    await ana.page.request.delete(`${journey.url}/api/builder/v1/session`, {
      headers: { origin: journey.url },
    })
    await here(vera.page).waitFor({ state: 'detached' })
    await Promise.all([ana.context.close(), vera.context.close()])
  })

  test.each([360, 1_440])('thirty people fit into the page, at %d pixels', async (width) => {
    const workflowId = await newWorkflow(journey, `Crowd ${width}`, {
      ...PAY_GRAPH,
      nodes: PAY_GRAPH.nodes.map((node) => ({ ...node, name: `${node.name} the supplier of the order` })),
    })
    const { server } = journey
    const url = `/api/builder/v1/organizations/${server.seed.organizationId}/workflows/${workflowId}/presence`
    const cookies: string[] = []
    for (let at = 0; at < 30; at++) {
      cookies.push(await signIn(server, await journey.person('viewer', `Person ${at} of the crowd`)))
    }
    const tabs = cookies.map((cookie, at) => ({
      headers: { cookie, origin: ownOrigin(server) },
      body: { tabId: crypto.randomUUID(), nodeId: at % 2 === 0 ? 'pay' : 'gone' },
    }))
    const share = () => Promise.all(tabs.map((tab) => server.call(`POST ${url}`, { key: null, ...tab })))
    expect((await share()).map(({ status }) => status)).toEqual(Array(30).fill(200))
    // Tabs repeat themselves as those of browsers do.
    const repeating = setInterval(() => void share(), 15_000)
    onTestFinished(() => clearInterval(repeating))
    const window = await journey.open(
      await journey.person('member', 'Ana Stone'),
      workflowPath(journey, workflowId),
      {
        width,
      },
    )
    await others(window.page, 30).waitFor()
    await window.page.getByRole('row', { name: '15 people have this step open' }).waitFor()
    await expectGood(window, `workflow-presence-crowd-${width}`)
    // Removed steps of the draft are not listed.
    const entries = await menuOf(window.page)
    expect(entries).toHaveLength(30)
    expect(entries.filter((entry) => entry.endsWith('no step open'))).toHaveLength(15)
    await window.page.goto(journey.url + workflowPath(journey, workflowId, '?view=map'))
    await others(window.page, 30).waitFor()
    await expectGood(window, `workflow-presence-crowd-canvas-${width}`)
    await window.context.close()
  })
})
