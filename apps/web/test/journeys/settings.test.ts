import { readFile } from 'node:fs/promises'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { seedForm } from '@troupe/test-kit/seed-form'
import { type SeededPerson, seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer } from '@troupe/test-kit/server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variablesIn, withLeftOut } from '../../src/core/bundles/bundle-text.ts'
import { LOOKS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

/** A page that is slow to answer on a loaded machine is no failure of what it shows. */
const PATIENCE_MS = 90_000
const RIGHT_KEY = 'sk-the-right-key-of-the-provider-wxyz'

describe.skipIf(CHROMIUM === null)('settings', () => {
  let journey: Journey
  let models: ModelServer
  const mails: string[] = []
  let owner: SeededPerson
  beforeAll(async () => {
    models = await startModelServer({ models: ['small-1', 'large-1', 'embed-1'] })
    models.respond(({ headers }) =>
      headers.authorization === `Bearer ${RIGHT_KEY}` ? undefined : { status: 401 },
    )
    journey = await startJourney({
      env: { TROUPE_ALLOWED_NETWORKS: 'loopback' },
      overrides: {
        mailer: {
          sends: true,
          async send({ text }) {
            mails.push(text)
          },
        },
      },
    })
    owner = await journey.person('owner', 'Olga Owner')
  }, 180_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
    await models?.close()
  })

  const home = () => `/o/${journey.slug}`
  const settings = (page: string) => `${home()}/settings/${page}`
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

  test(
    'a provider of one’s own: the wrong key is named with its fix, the right one finds models and answers',
    async () => {
      const window = await journey.open(owner, `${settings('models')}/new`)
      const { page, faults } = window
      await page.getByRole('link', { name: /OpenAI-compatible/ }).click()
      await page.getByRole('textbox', { name: 'Base URL' }).fill(models.url)
      await page.getByLabel(/^API key/).fill('sk-a-wrong-key')
      await page.getByRole('textbox', { name: 'Add by id' }).fill('small-1')
      await page.keyboard.press('Enter')
      await press(page, 'Test the connection')
      const fault = page.getByText(/Check that the key is complete/)
      await fault.first().waitFor()
      // In the panel of the test, and at the field that is to blame.
      expect(await fault.count()).toBe(2)
      expect(await page.getByLabel(/^API key/).getAttribute('aria-invalid')).toBe('true')
      await expectGood(window, 'models-wrong-key')

      await page.getByLabel(/^API key/).fill(RIGHT_KEY)
      expect(await fault.count()).toBe(0)
      await press(page, 'Find models')
      await page.getByRole('checkbox', { name: /large-1/ }).press('Space')
      await expectGood(window, 'models-find')
      await press(page, 'Add 1 model')
      await press(page, 'Test the connection')
      await page.getByText('small-1 answered').waitFor()
      await page.getByText('First token').waitFor()
      await expectGood(window, 'models-tested')

      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My models')
      await page.getByRole('textbox', { name: 'Slug' }).fill('mine')
      await press(page, 'Create configuration')
      await page.getByText('“My models” is ready').waitFor()
      await page.getByText(/••••wxyz, set /).waitFor()
      expect(await page.content()).not.toContain(RIGHT_KEY)
      expect(await keptInBrowser(page)).not.toContain('sk-')
      await expectGood(window, 'models-created')

      await page.reload()
      await press(page, 'Test the connection')
      await page.getByText('small-1 answered').waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('as curl')
      await page.keyboard.press('Enter')
      const command = page
        .getByRole('dialog', { name: 'Show as curl' })
        .getByRole('region', { name: /Command/ })
      await expect.poll(() => command.innerText()).toMatch(/llm-configurations\/[0-9a-f-]{36}'/)
      await page.keyboard.press('Escape')
      expect(models.requests.at(-1)?.headers.authorization).toBe(`Bearer ${RIGHT_KEY}`)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an edit outlives a reload without its secrets, and is joined with what a colleague saved',
    async () => {
      const { context, seed } = journey.server
      const window = await journey.open(owner, settings('models'))
      const { page } = window
      await page.getByRole('link', { name: 'My models' }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine, renamed')
      await press(page, 'Replace API key')
      await page.getByLabel(/^API key/).fill('sk-typed-and-not-saved')
      // The edit is written to the device within 300 ms.
      await expect.poll(() => keptInBrowser(page)).toContain('Mine, renamed')
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('alertdialog', { name: 'Leave and forget the secret?' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.getByLabel(/^API key/).inputValue()).toBe('sk-typed-and-not-saved')
      expect(await keptInBrowser(page)).not.toContain('sk-typed')
      // The browser asks, too, before it forgets the secret.
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await page.getByText(/Secrets are never kept in a browser/).waitFor()
      expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(
        'Mine, renamed',
      )

      const stored = await context.database.read.llmConfigurations.list(seed.organizationId)
      const mine = stored.find(({ slug }) => slug === 'mine')
      const colleague = await journey.open(
        await journey.person('admin', 'Carl Colleague'),
        settings('models'),
      )
      await colleague.page.getByRole('link', { name: 'My models' }).click()
      await colleague.page.getByText('Agents may name other models of this provider, too').click()
      await press(colleague.page, 'Save')
      await colleague.page.getByText(/was saved/).waitFor()

      await press(page, 'Save')
      await page.getByRole('dialog', { name: /Carl Colleague changed this configuration/ }).waitFor()
      await expectGood(window, 'models-conflict')
      await press(page, 'Merge both')
      await page.getByText('“Mine, renamed” was saved').waitFor()
      const after = await context.database.read.llmConfigurations.list(seed.organizationId)
      expect(after.find(({ id }) => id === mine?.id)).toMatchObject({
        name: 'Mine, renamed',
        allowUnlistedModels: true,
      })
    },
    PATIENCE_MS,
  )

  test(
    'a person is invited by mail, joins as viewer, reads who may help, is promoted, and suspended',
    async () => {
      const admin = await journey.open(owner, `${settings('members')}?create=1`)
      await admin.page.getByRole('textbox', { name: 'E-mail address' }).fill('vera@acme.test')
      await admin.page.getByRole('button', { name: /Role/ }).click()
      await admin.page.getByRole('option', { name: /Viewer/ }).click()
      await admin.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      await admin.page.getByText('The invitation was sent to vera@acme.test').waitFor()
      await admin.page.getByRole('listitem').filter({ hasText: 'vera@acme.test' }).waitFor()

      const viewer = await journey.open(null, new URL(linkIn(mails.at(-1))).pathname)
      const { page } = viewer
      await page.getByLabel('Your name').fill('Vera Viewer')
      await page.getByLabel('Choose a password').fill('a long password of vera')
      await page.getByRole('button', { name: /Create account and join/ }).click()
      await page.waitForURL((address) => address.pathname.startsWith('/o/'))

      await page.goto(`${journey.url}${settings('models')}`)
      const create = page.getByRole('button', { name: 'New configuration' }).first()
      expect(await create.isDisabled()).toBe(true)
      await page.goto(`${journey.url}${settings('bundle')}`)
      await page.getByText(/Needs admin: .*Olga Owner/).waitFor()
      await expectGood(viewer, 'members-refused')

      const choose = async (action: string | RegExp) => {
        await admin.page.getByRole('button', { name: 'Actions for Vera Viewer' }).click()
        await admin.page.getByRole('menuitem', { name: action }).click()
      }
      await admin.page.reload()
      await choose(/^Admin/)
      await admin.page.getByText('Vera Viewer is now admin').waitFor()
      await page.reload()
      await page.getByRole('tab', { name: 'Apply' }).waitFor()

      await choose(/^Suspend/)
      await admin.page.getByText('Vera Viewer is suspended').waitFor()
      await expectGood(admin, 'members-suspended')
      await page.getByRole('tab', { name: 'Apply' }).click()
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('heading', { level: 1, name: /You can no longer open/ }).waitFor()
      await page.getByText(/Your membership was suspended or has ended/).waitFor()
      await expectGood(viewer, 'members-left')
    },
    PATIENCE_MS,
  )

  test(
    'a workflow is exported with its agents, planned and applied in an empty organization, and nothing is left to do',
    async () => {
      const { context, seed } = journey.server
      const { workflowId } = await madeWorkflow(journey)
      const here = await journey.open(owner, `${settings('bundle')}?what=some&kind=workflow`)
      await here.page.getByRole('checkbox', { name: /Answer questions/ }).press('Space')
      await here.page.waitForURL(/include=workflow/)
      const preview = here.page.getByRole('region', { name: 'Bundle', exact: true })
      await expect.poll(() => preview.innerText()).toContain('slug: answerer')
      await expectGood(here, 'bundle-export')
      const download = here.page.waitForEvent('download')
      await press(here.page, 'Download')
      const file = await (await download).path()
      const text = await readFile(file, 'utf8')
      expect(text).toContain(workflowId)
      expect(text).not.toContain(RIGHT_KEY)

      const other = await seedPerson(context.database, {
        organizationId: seed.otherOrganizationId,
        role: 'admin',
        name: 'Otto Other',
      })
      const organizations = await context.database.read.organizations.all()
      const slug = organizations.find(({ id }) => id === seed.otherOrganizationId)?.slug ?? ''
      const there = await journey.open(other, `/o/${slug}/settings/bundle?tab=apply`)
      const { page } = there
      await page.locator('input[type=file]').setInputFiles({
        name: 'acme.bundle.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(text),
      })
      await press(page, 'Ask for them here')
      await page.getByLabel('MINE_API_KEY').fill(RIGHT_KEY)
      await page.getByRole('tab', { name: 'Export' }).click()
      await page.getByRole('tab', { name: 'Apply' }).click()
      expect(await page.getByLabel('MINE_API_KEY').inputValue()).toBe(RIGHT_KEY)
      await press(page, 'Plan')
      await press(page, 'Apply it to this organization')
      await page.getByText('Answer questions', { exact: false }).first().waitFor()
      await expectGood(there, 'bundle-plan')
      expect(await keptInBrowser(page)).not.toContain(RIGHT_KEY)
      await press(page, /^Apply \d+ changes/)
      await page.getByText('The bundle was applied').waitFor()
      await expectGood(there, 'bundle-applied')

      await press(page, /Apply another bundle|I have stored them/)
      await page.locator('input[type=file]').setInputFiles({
        name: 'acme.bundle.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(text),
      })
      await press(page, 'Plan')
      await press(page, 'Apply it to this organization')
      await page.getByText(/Nothing would change/).waitFor()
      expect(here.faults.concat(there.faults)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'problems of a bundle have their line, what is typed is never lost, and secrets stay in the tab',
    async () => {
      const window = await journey.open(owner, `${settings('bundle')}?tab=apply`)
      const { page } = window
      const editor = page.getByRole('textbox', { name: 'Bundle' })
      await editor.fill(
        `apiVersion: troupe/v1\norganizations:\n  - slug: ${journey.slug}\n    name: x\n    agents:\n      - { slug: a }`,
      )
      await press(page, 'Plan')
      await page.getByRole('button', { name: 'Line 6' }).click()
      await page.getByText('organizations.0.agents.0.name').waitFor()
      await expectGood(window, 'bundle-problems')
      await expect.poll(() => keptInBrowser(page)).toContain('slug: a')
      await page.reload()
      await expect.poll(() => editor.innerText()).toContain('slug: a')

      await editor.fill('apiKeys: [{ name: ci, secret: sk-written-down-in-it }]')
      await page.getByText(/kept in this tab only/).waitFor()
      await page.getByRole('link', { name: 'Projects' }).click()
      await page.goBack()
      await expect.poll(() => editor.innerText()).toContain('sk-written-down')
      expect(await keptInBrowser(page)).not.toContain('sk-written')
    },
    PATIENCE_MS,
  )

  test(
    'an upload of a form is downloaded and deleted',
    async () => {
      await uploadedFile(journey)
      const window = await journey.open(owner, settings('uploads'))
      const { page } = window
      await page.getByRole('row', { name: /cv\.txt/ }).waitFor()
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
      await expect.poll(() => code.innerText()).toMatch(/run_agent_stream\("[0-9a-f-]{36}"/)
      await page.getByRole('radio', { name: 'curl' }).click()
      const command = page.getByRole('region', { name: 'Example in curl' })
      await expect.poll(() => command.innerText()).toContain('run-stream')
      await page.getByRole('radio', { name: 'A workflow' }).click()
      await expect.poll(() => command.innerText()).toMatch(/workflows\/.*\/run'/)
      expect(new URL(page.url()).searchParams.get('kind')).toBe('workflow')
    },
    PATIENCE_MS,
  )

  test(
    'what was made here is the same after an export, an apply in an empty organization and another export',
    async () => {
      const exported = String(await asOperator(journey, 'GET /bundle'))
      for (const secret of [RIGHT_KEY, owner.password, ...Object.values(journey.server.seed.keys)]) {
        expect(exported).not.toContain(secret)
      }
      const text = withLeftOut(exported)
      const variables = Object.fromEntries(variablesIn(text).map((name) => [name, RIGHT_KEY]))
      await using empty = await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
      const { organizationId: id } = journey.server.seed
      const send = async (target: string, body?: object) => {
        const headers = { authorization: `Bearer ${empty.adminToken}` }
        const answer = await empty.call(target, { key: null, headers, ...(body ? { body } : {}) })
        expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
        return answer.body
      }
      await send('POST /api/builder/v1/organizations', { id, slug: journey.slug, name: journey.slug })
      const path = `/api/builder/v1/organizations/${id}/bundle`
      expect(await send(`POST ${path}/plan`, { text, variables })).toMatchObject({ errors: [] })
      await send(`POST ${path}/apply`, { text, variables })
      expect(String(await send(`GET ${path}`))).toBe(exported)
      expect(await send(`POST ${path}/plan`, { text: exported })).toEqual({ changes: [], errors: [] })
    },
    PATIENCE_MS,
  )

  test(
    'a viewer reads a configuration and who may change it; one that is deleted says so',
    async () => {
      const viewer = await journey.person('viewer', 'Vito Viewer')
      const configuration = await firstConfiguration(journey)
      for (const [scheme, width] of [['light', 1280] as const, ['dark', 360] as const]) {
        const window = await journey.open(viewer, settings(`models/${configuration}`), { scheme, width })
        await window.page.getByText(/not change it. Needs admin: .*Olga Owner/).waitFor()
        expect(await window.page.getByRole('textbox').count()).toBe(0)
        await expectGood(window, `models-viewer-${scheme}-${width}`)
      }
      const { page } = await journey.open(viewer, settings(`models/${journey.server.seed.organizationId}`))
      await page.getByRole('heading', { level: 1, name: /does not exist any more/ }).waitFor()
    },
    PATIENCE_MS,
  )

  test.each(LOOKS)(
    'every page is good in %s at %d px',
    async (scheme, width) => {
      await uploadedFile(journey)
      const window = await journey.open(owner, home(), { scheme, width })
      const { page } = window
      const configuration = await firstConfiguration(journey)
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
        await expectGood(window, `settings-${name}-${scheme}-${width}`)
      }
    },
    4 * PATIENCE_MS,
  )
})

/** Everything that the pages have stored in this browser. */
function keptInBrowser(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve, reject) => {
    const request = indexedDB.open('troupe')
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const all = request.result.transaction('values').objectStore('values').getAll()
      all.onsuccess = () => { request.result.close(); resolve(JSON.stringify([all.result, { ...localStorage }])) }
    }
  })`)
}

function linkIn(mail = ''): string {
  return /https?:\/\/\S+\/invitations\/\S+/.exec(mail)?.[0] ?? ''
}

/** Calls the builder's API of the seeded organization as the operator. */
async function asOperator(journey: Journey, target: string, body?: object): Promise<unknown> {
  const { server } = journey
  const [method, path] = target.split(' ')
  const answer = await server.call(
    `${method} /api/builder/v1/organizations/${server.seed.organizationId}${path}`,
    {
      key: null,
      headers: { authorization: `Bearer ${server.adminToken}` },
      ...(body ? { body } : {}),
    },
  )
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

/** A published workflow with an agent that names the configuration `mine`. */
async function madeWorkflow(journey: Journey): Promise<{ workflowId: string }> {
  const text = `apiVersion: troupe/v1
organizations:
  - slug: ${journey.slug}
    name: ${journey.slug}
    agents:
      - slug: answerer
        name: Answerer
        status: active
        config: { instructions: Answer., model: { primary: { llm_config: mine, model_id: small-1 } } }
    workflows:
      - slug: answer-questions
        name: Answer questions
        publish: true
        graph:
          nodes:
            - { id: start, type: manual-trigger, name: Start }
            - { id: ask, type: ai-agent, name: Ask, config: { agent: answerer, message: "{{ trigger.question }}" } }
          edges: [{ id: e1, source: start, target: ask }]
`
  await asOperator(journey, 'POST /bundle/apply', { text })
  const { data } = (await asOperator(journey, 'GET /workflows?q=Answer')) as {
    data: { workflowId: string }[]
  }
  return { workflowId: data[0]?.workflowId ?? '' }
}

async function firstConfiguration(journey: Journey): Promise<string> {
  const { data } = (await asOperator(journey, 'GET /llm-configurations?q=mine')) as {
    data: { llmConfigId: string }[]
  }
  return data[0]?.llmConfigId ?? ''
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
