import { startTwirpDouble, type TwirpDouble } from '@troupe/livekit/testing/twirp-double'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { chooseAction, field, press } from './resource-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000
const PASSWORD = 'the-password-of-the-carrier'

describe.skipIf(CHROMIUM === null)('phone', () => {
  let double: TwirpDouble
  let journey: Journey
  beforeAll(async () => {
    double = await startTwirpDouble()
    const { httpUrl, apiKey, apiSecret } = double
    journey = await startJourney({
      env: {
        ...{ LIVEKIT_HTTP_URL: httpUrl, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret },
        VOICE_PUBLIC_WS_URL: 'wss://media.example.test',
        VOICE_INTERNAL_TOKEN: 'a-random-token-of-voice-workers-7f3c91',
        VOICE_INTERNAL_LISTEN: '127.0.0.1:0',
      },
    })
    await asOperator(journey, 'POST /voice-configurations', {
      ...{ slug: 'desk-voice', agentId: journey.server.seed.agents.organization },
      ...{ sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' },
    })
  }, 180_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
    await double?.[Symbol.asyncDispose]()
  })

  const newTrunk = async (page: Page, name: string) => {
    await field(page, 'Name').fill(name)
    await field(page, 'Address').fill('sip.carrier.test:5060')
    await page.getByRole('textbox', { name: /^User name/ }).fill('acme')
    await field(page, 'Password').fill(PASSWORD)
    await field(page, 'Countries that may be called').fill('gb')
    await page.keyboard.press('Enter')
    await page.getByText('United Kingdom').waitFor()
    await press(page, 'Add trunk')
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  /** The page keeps the current trunks until it saves, so that it does not see a colleague's earlier save. */
  const freezeTrunks = async (page: Page) => {
    const isList = (url: URL) => url.pathname.endsWith('/phone-trunks')
    const response = await page.request.get(
      `${journey.url}/api/builder/v1/organizations/${journey.slug}/phone-trunks`,
    )
    const body = await response.text()
    await page.route(isList, (route) => route.fulfill({ contentType: 'application/json', body }))
    return () =>
      page.route(/\/phone-trunks\/[^/]+$/, async (route) => {
        await page.unroute(isList)
        await route.continue()
      })
  }

  test(
    'a trunk is made and provisioned, a number with its agent is added and changed, and both are deleted',
    async () => {
      const { url, slug } = journey
      const { page, faults } = await journey.open(await journey.person('admin'), `/o/${slug}/phone?create=1`)
      await newTrunk(page, 'Main carrier')
      await press(page, 'Provision again')
      await page.getByText('The media server has the saved settings.', { exact: false }).waitFor()
      expect([...double.calls.trunks.values()]).toContainEqual(
        expect.objectContaining({ name: 'Main carrier', authUsername: 'acme', authPassword: PASSWORD }),
      )
      expect(await page.content()).not.toContain(PASSWORD)
      await page.getByText('A password is stored').waitFor()

      await press(page, 'New number')
      await field(page, 'Number').fill('+44 20 7946 0100')
      await page.getByRole('combobox', { name: /Agent that speaks/ }).fill('a')
      await page.getByRole('option').first().click()
      await press(page, 'Add number')
      const row = page.getByRole('row', { name: /\+442079460100/ })
      await row.getByRole('link').waitFor()

      await page.goto(`${url}/o/${slug}/phone?tab=numbers`)
      await chooseAction(page, '+442079460100', 'Change…')
      await field(page, 'Number').fill('020 7946')
      await press(page, 'Save')
      await page.getByText('must be a number in E.164 format', { exact: false }).waitFor()
      await field(page, 'Number').fill('+44 20 7946 0199')
      await press(page, 'Save')
      await page.getByText('+442079460199 was saved').waitFor()
      await page.getByRole('searchbox').fill('7946 0199')
      await page.getByRole('row', { name: /\+442079460199.*Main carrier/ }).waitFor()
      await chooseAction(page, '+442079460199', 'Delete…')
      await press(page, 'Delete number')
      await page.getByText('+442079460199 was deleted').waitFor()

      await page.goto(`${url}/o/${slug}/phone`)
      await page.getByRole('link', { name: 'Main carrier' }).click()
      await chooseAction(page, 'Main carrier', 'Delete…')
      await press(page, 'Delete trunk')
      await page.waitForURL(/\/phone$/)
      await page.getByText('No trunks yet').waitFor()
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a refused trunk has the reason; a save on top of a colleague’s is a conflict and keeps their other changes',
    async () => {
      const { slug } = journey
      double.fault('CreateSIPOutboundTrunk', {
        ...{ kind: 'status', status: 400, code: 'invalid_argument', message: 'no' },
      })
      const ana = await journey.open(await journey.person('admin', 'Ana'), `/o/${slug}/phone?create=1`)
      await newTrunk(ana.page, 'Shared carrier')
      await press(ana.page, 'Provision again')
      await ana.page.getByText('The media server refused the trunk', { exact: false }).waitFor()
      double.fault('CreateSIPOutboundTrunk', null)

      const path = new URL(ana.page.url()).pathname
      const thaw = await freezeTrunks(ana.page)
      const ben = await journey.open(await journey.person('admin', 'Ben'), path)
      await ben.page.getByRole('textbox', { name: 'Maximum call length' }).fill('600')
      await ben.page.keyboard.press('Tab')
      await press(ben.page, 'Save')
      await ben.page.getByText('“Shared carrier” was saved').waitFor()

      await field(ana.page, 'Name').fill('Renamed carrier')
      await thaw()
      await press(ana.page, 'Save')
      await ana.page.getByRole('dialog', { name: /^Ben changed this trunk/ }).waitFor()
      await press(ana.page, 'Keep mine')
      await ana.page.getByText('“Renamed carrier” was saved').waitFor()
      await ana.page.reload()
      await ana.page.getByRole('heading', { level: 1, name: 'Renamed carrier' }).waitFor()
      await expect
        .poll(() => ana.page.getByRole('textbox', { name: 'Maximum call length' }).inputValue())
        .toMatch(/^600/)
      expect(ben.faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'do-not-call numbers are pasted, searched, changed, confirmed and removed from the list',
    async () => {
      const { server, url, slug } = journey
      const { organizationId } = server.seed
      await server.context.database.transaction(({ write }) =>
        write.phone.putDoNotCall({
          ...{ organizationId, e164: '+4930123456', status: 'proposed', reason: 'Call rejected (SIP 607)' },
        }),
      )
      const { page, faults } = await journey.open(
        await journey.person('admin'),
        `/o/${slug}/phone?tab=do-not-call&create=1`,
      )
      await field(page, 'Numbers').fill('+33 1 42 68 53 00\n+33 1 42 68 53 01\n01 42 68 53 02')
      await field(page, 'Reason').fill('Opposition list')
      await page.getByText('1 line has no number with a country code:').waitFor()
      expect(await page.getByRole('button', { name: 'Add 2 numbers' }).isDisabled()).toBe(true)
      await field(page, 'Numbers').fill('+33 1 42 68 53 00\n+33 1 42 68 53 01')
      await press(page, 'Add 2 numbers')
      await page.getByText('2 numbers will not be called again').waitFor()

      await chooseAction(page, '+4930123456', 'Add to the list')
      await page.getByText('+4930123456 will not be called again').waitFor()
      await page.getByRole('searchbox').fill('opposition')
      await page.getByRole('row', { name: /\+4930123456/ }).waitFor({ state: 'detached' })
      await chooseAction(page, '+33142685300', 'Change…')
      await field(page, 'Reason').fill('Wrote a letter')
      await press(page, 'Save reason')
      await page.getByRole('row', { name: /\+33142685300/ }).waitFor({ state: 'detached' })
      await page.goto(`${url}/o/${slug}/phone?tab=do-not-call&q=53+00`)
      await page.getByRole('row', { name: /\+33142685300.*Wrote a letter/ }).waitFor()
      await chooseAction(page, '+33142685300', 'Allow calls again…')
      await press(page, 'Allow calls')
      await page.getByText('+33142685300 can be called again').waitFor()
      await page.getByText('Nothing matches').waitFor()
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a viewer sees the settings of a trunk, and who may change them',
    async () => {
      const { url, slug } = journey
      const made = await asOperator(journey, 'POST /phone-trunks', {
        ...{ slug: 'seen', name: 'Seen carrier', direction: 'outbound', address: 'sip.seen.test' },
      })
      const { page, faults } = await journey.open(await journey.person('viewer'), `/o/${slug}/phone`)
      const create = page.getByRole('button', { name: 'New trunk' })
      await create.waitFor()
      expect(await create.isDisabled()).toBe(true)
      await page.getByRole('link', { name: 'Seen carrier' }).click()
      await page.getByText('You can view the settings but not change them.', { exact: false }).waitFor()
      await page.getByText('Only admins and owners can do this.', { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
      expect(made).toMatchObject({ hasPassword: false })
      await page.goto(`${url}/o/${slug}/phone?tab=do-not-call&create=1`)
      await page.getByRole('button', { name: 'Add numbers' }).first().waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a number is exported with its trunk and its voice, without the password',
    async () => {
      const { trunkId } = (await asOperator(journey, 'POST /phone-trunks', {
        ...{ slug: 'exported', name: 'Carrier of Leeds', direction: 'outbound' },
        ...{ address: 'sip.leeds.test:5061', auth: { username: 'acme', password: PASSWORD } },
      })) as { trunkId: string }
      const voices = await asOperator(journey, 'GET /voice-configurations')
      const [voice] = (voices as { data: { voiceConfigId: string }[] }).data
      await asOperator(journey, `POST /phone-trunks/${trunkId}/numbers`, {
        ...{ slug: 'exported-1', e164: '+441134960001', voiceConfigId: voice?.voiceConfigId ?? null },
      })
      const { page, faults } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/settings/bundle?what=some&kind=phone_trunk`,
      )
      await page.getByRole('checkbox', { name: /Carrier of Leeds/ }).waitFor()
      await page.goto(`${journey.url}/o/${journey.slug}/settings/bundle?what=some&kind=voice_configuration`)
      await page.getByRole('checkbox', { name: /desk-voice/ }).waitFor()
      await page.goto(`${journey.url}/o/${journey.slug}/settings/bundle?what=some&kind=phone_number`)
      await page.getByRole('checkbox', { name: /\+441134960001/ }).press('Space')
      const preview = page.getByRole('region', { name: 'Bundle', exact: true })
      await expect.poll(() => preview.innerText()).toContain('sip.leeds.test:5061')
      expect(await preview.innerText()).toContain('desk-voice')
      expect(await preview.innerText()).not.toContain(PASSWORD)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the pages have no visual faults at %d px, in light and dark',
    async (width) => {
      const { url, slug } = journey
      const made = await asOperator(journey, 'POST /phone-trunks', {
        ...{ slug: `good-${width}`, name: 'Carrier of London', direction: 'outbound' },
        ...{ address: 'sip.london.test:5061', auth: { username: 'acme', password: PASSWORD } },
        ...{ allowedCountries: ['GB', 'IE'], blockedPrefixes: ['+4490'], headers: { 'X-Customer': 'acme' } },
        quietHours: { from: '21:00', to: '08:00', timezone: 'Europe/London' },
      })
      const { trunkId } = made as { trunkId: string }
      const voices = await asOperator(journey, 'GET /voice-configurations')
      const [voice] = (voices as { data: { voiceConfigId: string }[] }).data
      for (const last of [1, 2])
        await asOperator(journey, `POST /phone-trunks/${trunkId}/numbers`, {
          ...{ slug: `good-${width}-${last}`, e164: `+44207946030${last}` },
          voiceConfigId: last === 1 ? (voice?.voiceConfigId ?? null) : null,
        })
      const window = await journey.open(await journey.person('owner'), `/o/${slug}`, { width })
      const { page } = window
      for (const path of [
        'phone',
        'phone?create=1',
        'phone?tab=numbers',
        'phone?tab=numbers&create=1',
        'phone?tab=do-not-call',
        'phone?tab=do-not-call&create=1',
        `phone/trunks/${trunkId}`,
      ]) {
        await page.goto(`${url}/o/${slug}/${path}`)
        await page.getByRole(path.includes('create') ? 'dialog' : 'main').waitFor()
        await page.waitForLoadState('networkidle')
        const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/\W+/g, '-')
        await expectGood(window, `${name}-${width}`)
      }
    },
    4 * PATIENCE_MS,
  )
})
