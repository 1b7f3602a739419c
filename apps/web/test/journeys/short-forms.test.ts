import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './held-calls.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('short forms', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const at = (path: string) => `/o/${journey.slug}${path}`
  const call = <Body>(target: string, body?: object) => asOperator<Body>(journey, target, body)

  test(
    'a key that is being rotated is held in its dialog, which Escape and the cross leave open until its secret is there',
    async () => {
      await call('POST /api-keys', { name: 'CI' })
      const { page, faults } = await journey.open(await journey.person('owner'), at('/settings/keys'))
      await page.getByRole('button', { name: 'Actions for CI' }).click()
      await page.getByRole('menuitem', { name: 'Rotate…' }).click()
      const rotating = await hold(page, 'POST', /\/rotate$/)
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
      await expect.poll(() => rotating.held.length).toBe(1)
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
      await page.mouse.click(4, 4)
      await rotating.release()
      await page.getByRole('dialog').getByText(/^trp_/).first().waitFor()
      // It is shown once: leaving it uncopied needs a confirmation.
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a pasted text that does not fit into a field is reported there, until the text changes',
    async () => {
      const { page, context } = await journey.open(await journey.person('owner'), at('/agents'))
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'New agent' }).first().click()
      const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
      await name.focus()
      await page.evaluate("navigator.clipboard.writeText('n'.repeat(400))")
      await page.keyboard.press('ControlOrMeta+v')
      await page.getByText('The pasted text was cut to 128 characters.').waitFor()
      expect(await name.inputValue()).toHaveLength(128)
      await page.keyboard.press('Backspace')
      await page.getByText('The pasted text was cut').waitFor({ state: 'detached' })
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a number between two steps is shown, typed and saved as it is',
    async () => {
      const base = await journey.server.call('POST /api/v1/knowledge-bases', {
        body: { name: 'Handbook', chunk_tokens: 512 },
      })
      const { knowledgeBaseId } = Object(base.body)
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/knowledge/${knowledgeBaseId}?tab=settings`),
      )
      const size = page.getByRole('textbox', { name: 'Passage length (tokens)' })
      expect(await size.inputValue()).toBe('512')
      await size.fill('437')
      await page.keyboard.press('Tab')
      expect(await size.inputValue()).toBe('437')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a budget of voice minutes is set, and a second one for the same scope shows the replaced one',
    async () => {
      const { page, faults } = await journey.open(
        await journey.person('owner'),
        at('/settings/budgets?create=1'),
      )
      const dialog = page.getByRole('dialog')
      const choose = async () => {
        await dialog.getByRole('button', { name: /Metric/ }).click()
        await page.getByRole('option', { name: 'Voice minutes' }).click()
      }
      await choose()
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('500')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await page.getByRole('row', { name: /Voice minutes/ }).waitFor()
      await page.getByRole('button', { name: 'Set a budget' }).click()
      await choose()
      await dialog.getByText('A budget of 500 a month is set for this. Saving replaces it.').waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a document stays until its replacement was read, and permanently if that cannot be read',
    async () => {
      const base = Object(
        (await journey.server.call('POST /api/v1/knowledge-bases', { body: { name: 'Replaced' } })).body,
      )
      const documents = `/api/v1/knowledge-bases/${base.knowledgeBaseId}/documents`
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/knowledge/${base.knowledgeBaseId}`),
      )
      const names = async () => {
        const { body } = await journey.server.call(`GET ${documents}`)
        return (Object(body).data as { name: string }[]).map(({ name }) => name).toSorted()
      }
      const replace = async (former: string, name: string, content: Buffer) => {
        await page.getByRole('button', { name: `Actions for ${former}` }).click()
        const chosen = page.waitForEvent('filechooser')
        await page.getByRole('menuitem', { name: 'Replace…' }).click()
        await (await chosen).setFiles({ name, mimeType: 'application/octet-stream', buffer: content })
      }
      const first = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose files' }).click()
      await (await first).setFiles({
        name: 'tea.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Tea'),
      })
      await page.getByRole('button', { name: 'Actions for tea.md' }).waitFor()
      await replace('tea.md', 'coffee.md', Buffer.from('# Coffee'))
      await page.getByText('“tea.md” was replaced').waitFor()
      expect(await names()).toEqual(['coffee.md'])
      // A PDF without a page.
      await replace('coffee.md', 'empty.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))
      await page
        .getByText('“coffee.md” was kept', { exact: false })
        .or(page.getByText('The document was not replaced'))
        .waitFor()
      expect(await names()).toContain('coffee.md')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'uploads continue while another tab is open, and leaving the page asks first',
    async () => {
      const { body } = await journey.server.call('POST /api/v1/knowledge-bases', { body: { name: 'Sent' } })
      const { knowledgeBaseId } = Object(body)
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/knowledge/${knowledgeBaseId}`),
      )
      const sending = await hold(page, 'POST', /\/documents$/)
      const chosen = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose files' }).click()
      const files = ['a', 'b', 'c'].map((name) => ({
        name: `${name}.md`,
        mimeType: 'text/markdown',
        buffer: Buffer.from(`# ${name}`),
      }))
      await (await chosen).setFiles(files)
      await expect.poll(() => sending.held.length).toBe(2)
      await page.getByRole('tab', { name: 'Search' }).click()
      await page.getByRole('navigation').getByRole('link', { name: 'Agents' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      await sending.release()
      const names = async () => {
        const listed = await journey.server.call(`GET /api/v1/knowledge-bases/${knowledgeBaseId}/documents`)
        return (Object(listed.body).data as { name: string }[]).map(({ name }) => name).toSorted()
      }
      await expect.poll(names, { timeout: 10_000 }).toEqual(['a.md', 'b.md', 'c.md'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})
