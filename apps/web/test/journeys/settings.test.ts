import { readFile } from 'node:fs/promises'
import { seedForm } from '@troupe/test-kit/seed-form'
import type { SeededPerson } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey } from './journey.ts'
import { asOperator } from './operator.ts'
import {
  configurationId,
  makeWorkflow,
  PATIENCE_MS,
  press,
  type SettingsJourney,
  startSettings,
} from './settings-journey.ts'

describe.skipIf(CHROMIUM === null)('settings', () => {
  let setting: SettingsJourney
  let journey: Journey
  let owner: SeededPerson
  beforeAll(async () => {
    setting = await startSettings()
    ;({ journey, owner } = setting)
    await makeWorkflow(setting)
  }, 180_000)
  afterAll(() => setting?.[Symbol.asyncDispose]())

  const settings = (page: string) => `/o/${journey.slug}/settings/${page}`

  test(
    'a person is invited by mail, joins as viewer, reads who may help, is promoted, and suspended',
    async () => {
      const admin = await journey.open(owner, `${settings('members')}?create=1`)
      await admin.page.getByRole('textbox', { name: 'E-mail address' }).fill('vera@acme.test')
      await admin.page.getByRole('dialog').getByRole('button', { name: /Role/ }).click()
      await admin.page.getByRole('option', { name: /Viewer/ }).click()
      await admin.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await admin.page.getByText('The invitation was sent to vera@acme.test').waitFor()
      await admin.page.getByRole('listitem').filter({ hasText: 'vera@acme.test' }).waitFor()

      const viewer = await journey.open(null, new URL(linkIn(setting.mails.at(-1))).pathname)
      const { page } = viewer
      await page.getByLabel('Your name').fill('Vera Viewer')
      await page.getByLabel('Choose a password').fill('a long password of vera')
      await page.getByRole('button', { name: /Create account and join/ }).click()
      await page.waitForURL((address) => address.pathname.startsWith('/o/'))

      await page.goto(`${journey.url}${settings('models')}`)
      const create = page.getByRole('button', { name: 'New LLM configuration' }).first()
      expect(await create.isDisabled()).toBe(true)
      await page.goto(`${journey.url}${settings('bundle')}`)
      await page.getByText(/Only admins and owners can do this\. Ask .*Olga Owner/).waitFor()
      await expectGood(viewer, 'members-refused')

      await admin.page.getByRole('button', { name: 'Invite', exact: true }).first().click()
      await admin.page.getByRole('textbox', { name: 'E-mail address' }).fill('ida@acme.test')
      await admin.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await admin.page.getByText('The invitation was sent to ida@acme.test').waitFor()
      await page.goto(`${journey.url}${settings('members')}`)
      await page.getByText('Address visible to admins').waitFor()
      await page.goto(`${journey.url}${settings('bundle')}`)
      await page.getByRole('heading', { name: 'This page is for admins' }).waitFor()

      const choose = async (action: string | RegExp) => {
        await admin.page.getByRole('button', { name: 'Actions for Vera Viewer' }).click()
        await admin.page.getByRole('menuitem', { name: action }).click()
      }
      await admin.page.reload()
      await choose(/^Admin/)
      const raise = admin.page.getByRole('alertdialog', { name: 'Make Vera Viewer an admin?' })
      await raise.getByRole('button', { name: 'Make an admin' }).click()
      await admin.page.getByText('Vera Viewer is now an admin').waitFor()
      // The user's page becomes that of an admin by itself.
      await page.getByRole('tab', { name: 'Apply' }).waitFor()

      // Giving up the own right needs a confirmation.
      await admin.page.getByRole('button', { name: 'Actions for Olga Owner' }).click()
      await admin.page.getByRole('menuitem', { name: /^Viewer/ }).click()
      const question = admin.page.getByRole('alertdialog', { name: 'Make yourself a viewer?' })
      await question.getByText('This takes effect immediately', { exact: false }).waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()

      await choose(/^Suspend/)
      await admin.page.getByText('Vera Viewer was suspended').waitFor()
      await expectGood(admin, 'members-suspended')
      // The page notices it itself: its connection for changes is refused.
      await page.getByRole('heading', { level: 1, name: /You can no longer open/ }).waitFor()
      await page.reload()
      await page
        .getByRole('heading', {
          level: 1,
          name: 'There is no organization at this address that you can open',
        })
        .waitFor()
      await page.getByText(/the membership was suspended or has ended/).waitFor()
      await page.getByRole('link', { name: 'Continue' }).click()
      await page
        .getByRole('heading', { level: 1, name: 'There is no organization that you can open' })
        .waitFor()
      await page.getByText(/the membership was suspended or has ended/).waitFor()
      await expectGood(viewer, 'members-left')
    },
    PATIENCE_MS,
  )

  test(
    'an invitation that fails after Back stays open with the error; the next one starts without it',
    async () => {
      const { page, context } = await journey.open(owner, settings('members'))
      const invitations = /\/invitations$/
      let refuse = () => {}
      await page.route(invitations, async (route) => {
        await new Promise<void>((resolve) => {
          refuse = resolve
        })
        await route.abort()
      })
      await page.getByRole('button', { name: 'Invite' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('ben@acme.test')
      const sent = page.waitForRequest(invitations)
      await dialog.getByRole('button', { name: 'Invite' }).click()
      await sent
      await page.goBack()
      await expect.poll(() => new URL(page.url()).search).toBe('')
      refuse()
      await dialog.getByText('The invitation was not created').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.unroute(invitations)
      await page.getByRole('button', { name: 'Invite' }).first().click()
      await dialog.getByRole('textbox', { name: 'E-mail address' }).waitFor()
      expect(await dialog.getByText('The invitation was not created').count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'members are found by name and role, and a filter in use is cleared by its button',
    async () => {
      const { page, context } = await journey.open(owner, settings('members'))
      const found = page.getByRole('row', { name: /Olga Owner/ })
      await found.waitFor()
      await page.getByRole('searchbox').fill('nobody is called this')
      await page.getByText('Nobody matches').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await found.waitFor()
      await page.getByRole('button', { name: /Role/ }).click()
      await page.getByRole('option', { name: 'Reviewer' }).click()
      await found.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Clear the filter: Role' }).click()
      await found.waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the budgets of a project report budgets elsewhere, and the location of a new one',
    async () => {
      const [here, there] = await Promise.all(
        ['Here', 'There'].map((name) =>
          asOperator<{ projectId: string }>(journey, 'POST /projects', { name, slug: name.toLowerCase() }),
        ),
      )
      const { page, context } = await journey.open(
        owner,
        `${settings('budgets')}?project=${here?.projectId}&create=1`,
      )
      await page.getByText('No budgets yet').waitFor()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: /For/ }).click()
      await page.getByRole('option', { name: 'There' }).click()
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('5')
      await page.keyboard.press('Tab')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await page.getByText('The budget of There is set').waitFor()
      await page.getByText('No budget limits this project').waitFor()
      await page.goto(`${journey.url}${settings('budgets')}?project=${there?.projectId}`)
      await page
        .getByRole('table', { name: 'Budgets' })
        .getByRole('cell', { name: 'There', exact: true })
        .waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an upload of a form is downloaded and deleted',
    async () => {
      await uploadedFile(journey)
      const window = await journey.open(owner, settings('uploads'))
      const { page } = window
      await page.getByRole('row', { name: /cv\.txt.*Not submitted/ }).waitFor()
      await expectGood(window, 'uploads-list')
      const open = () => page.getByRole('button', { name: 'Actions for cv.txt' }).click()
      await open()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Download' }).click()
      expect(await readFile(await (await download).path(), 'utf8')).toBe('I build bicycles.')
      await open()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await press(page, 'Delete file')
      await page.getByText('“cv.txt” was deleted').waitFor()
      await page.getByText('No uploads').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'the commands of the API page call this organization, in three languages',
    async () => {
      const { page } = await journey.open(owner, `${settings('api')}?lang=python&way=stream`)
      const code = page.getByRole('region', { name: 'Example in Python' })
      await expect.poll(() => code.innerText()).toMatch(/agents\/[0-9a-f-]{36}\/run-stream/)
      await page.getByRole('radio', { name: 'curl' }).click()
      const command = page.getByRole('region', { name: 'Example in curl' })
      await expect.poll(() => command.innerText()).toContain('run-stream')
      await page.getByRole('radio', { name: 'Workflow' }).click()
      await expect.poll(() => command.innerText()).toMatch(/workflows\/.*\/run'/)
      expect(new URL(page.url()).searchParams.get('kind')).toBe('workflow')
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the pages have no visual faults at %d px, in light and dark',
    async (width) => {
      await uploadedFile(journey)
      const window = await journey.open(owner, `/o/${journey.slug}`, { width })
      const { page } = window
      const configuration = await configurationId(journey)
      for (const path of [
        'models',
        'models/new',
        'models/new?provider=amazon-bedrock',
        `models/${configuration}`,
        'bundle',
        'bundle?what=some',
        'bundle?tab=apply',
        'uploads',
        'api?lang=typescript',
        'members',
      ]) {
        await page.goto(`${journey.url}${settings(path)}`)
        await page.waitForLoadState('networkidle')
        const name = path.replace(configuration, 'one').replaceAll(/\W+/g, '-')
        await expectGood(window, `settings-${name}-${width}`)
      }
    },
    4 * PATIENCE_MS,
  )
})

function linkIn(mail = ''): string {
  return /https?:\/\/\S+\/invitations\/\S+/.exec(mail)?.[0] ?? ''
}

async function uploadedFile({ server, url }: Journey): Promise<void> {
  const form = await seedForm(server.context, {
    organizationId: server.seed.organizationId,
    fields: [{ name: 'cv', label: 'CV', type: 'file' }],
  })
  const body = new FormData()
  body.set('file', new File(['I build bicycles.'], 'cv.txt', { type: 'text/plain' }))
  const answer = await fetch(`${url}${form.path}/upload?field=cv`, { method: 'POST', body })
  expect(answer.status).toBe(201)
}
