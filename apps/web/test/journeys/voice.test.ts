import { propertyOf } from '@troupe/contract'
import type { SeededPerson } from '@troupe/test-kit/seed-person'
import { unreachableVoice } from '@troupe/test-kit/unreachable-voice'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { SPEECH_KEY, type SpeechServer, startSpeechServer } from './speech-server.ts'

const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('voices of agents', () => {
  let journey: Journey
  let speech: SpeechServer
  let admin: SeededPerson
  beforeAll(async () => {
    speech = await startSpeechServer()
    journey = await startJourney({ env: { ...unreachableVoice(), TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    admin = await journey.person('admin', 'Ada Admin')
    await asOperator(journey, 'POST /agents', { name: 'Front desk' })
    const hosts = ['127.0.0.1']
    const key = (slug: string, name: string, secret: string) =>
      asOperator(journey, 'POST /credentials', { slug, name, kind: 'bearer', secret, hosts })
    await key('right', 'Right key', SPEECH_KEY)
    await key('wrong', 'Wrong key', 'not-the-key')
  }, 180_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
    await speech?.[Symbol.asyncDispose]()
  })

  const at = (place: string) => `/o/${journey.slug}/${place}`
  const stored = async () =>
    (
      await asOperator<{ data: { settings: unknown; voiceConfigId: string }[] }>(
        journey,
        'GET /voice-configurations',
      )
    ).data

  test(
    'with the keyboard alone, an agent gets a voice that is heard before it is saved',
    async () => {
      const window = await journey.open(admin, at('voice'))
      const { page, faults } = window
      await switchMouseOff(window)
      await page.getByText('No agent has a voice yet').waitFor()
      await expectGood(window, 'voice-empty')
      await page.keyboard.press('c')
      await choose(page, 'Agent', 'Front desk')
      await pick(page, 'Speaks with', 'OpenAI')
      expect(await page.getByRole('textbox', { name: 'Slug' }).inputValue()).toBe('front-desk-voice')
      await expectGood(window, 'voice-new')
      await page.getByRole('button', { name: 'Create voice' }).press('Enter')
      await page.getByRole('heading', { name: 'Front desk', level: 1 }).waitFor()
      await expectGood(window, 'voice-made')

      const speaking = page.getByRole('region', { name: 'Speaking' })
      await speaking.getByRole('textbox', { name: 'Address' }).fill('speech.example')
      await page
        .getByText(/must be an address such as/i)
        .first()
        .waitFor()
      await speaking.getByRole('textbox', { name: 'Address' }).fill(speech.url)
      await choose(page, 'API key', 'Wrong key', speaking)
      const speak = page.getByRole('complementary', { name: 'Preview' })
      await speak.getByRole('button', { name: 'Play it' }).press('Enter')
      await speak.getByText(/openai answered 401: Incorrect API key provided/).waitFor()
      await expectGood(window, 'voice-refused')

      await choose(page, 'API key', 'Right key', speaking)
      await page.getByRole('textbox', { name: 'Greeting' }).fill('Welcome to the front desk.')
      await speak.getByRole('button', { name: 'Play it' }).press('Enter')
      await speak.getByText(/OpenAI generated it in/).waitFor()
      expect(propertyOf(speech.requests.at(-1)?.body, 'input')).toBe('Welcome to the front desk.')
      await expect
        .poll(() => speak.locator('audio').evaluate((audio) => Reflect.get(audio, 'duration')))
        .toBe(0.5)
      await speak.getByRole('textbox', { name: 'Sentence' }).fill('How are you?')
      await speak.getByRole('button', { name: 'Play it' }).press('Enter')
      await speak.getByRole('blockquote').getByText('How are you?').waitFor()
      await expectGood(window, 'voice-spoken')

      await page.keyboard.press('Control+s')
      await page.getByText('Sessions and calls that start now use it.').waitFor()
      expect((await stored()).map(({ settings }) => settings)).toEqual([
        { tts: { baseUrl: speech.url }, greeting: { text: 'Welcome to the front desk.' } },
      ])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an emptied field is not a change, and a colleague’s save in the meantime is decided field by field',
    async () => {
      const [voice] = await stored()
      const window = await journey.open(admin, at(`voice/${voice?.voiceConfigId}`))
      const { page } = window
      const bar = page.getByRole('region', { name: 'Unsaved changes' })
      const silence = page.getByRole('textbox', { name: 'Prompt after silence' })
      await unfold(page, 'Silence and thinking')
      await silence.fill('Hello?')
      await bar.getByText('1 unsaved change', { exact: true }).waitFor()
      await silence.fill('')
      await bar.waitFor({ state: 'detached' })
      const slug = page.getByRole('textbox', { name: 'Slug' })
      const mark = page.locator('[data-changed]').filter({ has: slug }).getByText('Not saved yet')
      await slug.fill('another-voice')
      await mark.waitFor()
      await slug.fill('front-desk-voice')
      await mark.waitFor({ state: 'detached' })

      await silence.fill('Still there?')
      await page.getByRole('textbox', { name: 'Greeting' }).fill('Mine.')
      const colleague = await journey.open(await journey.person('admin', 'Carl Colleague'), at('voice'))
      await colleague.page.getByRole('link', { name: 'Front desk' }).click()
      await colleague.page.getByRole('textbox', { name: 'Greeting' }).fill('Theirs.')
      await colleague.page
        .getByRole('spinbutton', { name: /Speed/ })
        .or(colleague.page.getByRole('textbox', { name: /Speed/ }))
        .fill('1.2')
      await colleague.page.keyboard.press('Control+s')
      await colleague.page.getByText('Sessions and calls that start now use it.').waitFor()

      await bar.getByText(/Carl Colleague changed 1 setting that you also changed/).waitFor()
      await page.keyboard.press('Control+s')
      const dialog = page.getByRole('dialog', { name: /Carl Colleague changed this voice/ })
      await dialog.getByRole('radio', { name: 'Carl Colleague' }).press('Space')
      await expectGood(window, 'voice-conflict')
      await dialog.getByRole('button', { name: 'Merge and save' }).press('Enter')
      await page.getByText('Sessions and calls that start now use it.').waitFor()
      const [{ settings } = { settings: null }] = await stored()
      expect(settings).toMatchObject({
        greeting: { text: 'Theirs.' },
        silence: { text: 'Still there?' },
        tts: { speed: 1.2 },
      })
    },
    PATIENCE_MS,
  )

  test(
    'a phone shows every part; members cannot change it; a deleted voice disappears for everybody',
    async () => {
      const [voice] = await stored()
      const place = at(`voice/${voice?.voiceConfigId}`)
      const phone = await journey.open(admin, at('voice'), { width: 360 })
      await phone.page.getByRole('link', { name: 'Front desk' }).waitFor()
      await expectGood(phone, 'voice-list-phone')
      await phone.page.goto(journey.url + place)
      await phone.page.getByRole('heading', { name: 'Front desk', level: 1 }).waitFor()
      for (const part of ['Turn-taking', 'Silence and thinking', 'Limits and last words', 'On the phone'])
        await unfold(phone.page, part)
      await phone.page.getByRole('button', { name: 'Add a fallback' }).first().press('Enter')
      await expectGood(phone, 'voice-editor-phone')

      const reader = await journey.open(await journey.person('member', 'Max Member'), place)
      await reader.page.getByText(/You can view this voice but not change it/).waitFor()
      await reader.page.getByRole('textbox', { name: 'Greeting' }).waitFor()
      expect(
        await reader.page.getByRole('textbox', { name: 'Greeting' }).getAttribute('readonly'),
      ).not.toBeNull()
      await expectGood(reader, 'voice-reader')

      const window = await journey.open(admin, place)
      await window.page.getByRole('button', { name: 'Actions for this voice' }).press('Enter')
      await window.page.getByRole('menuitem', { name: /Delete/ }).press('Enter')
      await expectGood(window, 'voice-delete')
      await window.page.getByRole('button', { name: 'Delete voice' }).press('Enter')
      await window.page.getByText('The voice was deleted').waitFor()
      expect(await stored()).toEqual([])
      await reader.page.getByText('Voice configuration not found').waitFor()
      await window.page.goto(journey.url + place)
      await window.page.getByText(/ deleted .* just now\.$/).waitFor()
    },
    PATIENCE_MS,
  )

  const unfold = (page: Page, part: string) => page.locator('summary', { hasText: part }).press('Enter')

  /** Types the beginning of a name into a field that the server searches, and takes the first match. */
  async function choose(page: Page, label: string, name: string, inside: Pick<Page, 'getByRole'> = page) {
    const field = inside.getByRole('combobox', { name: label })
    await field.press('Control+a')
    await field.pressSequentially(name)
    // Until the response to the input arrives, the list has the previous results.
    await expect.poll(() => page.getByRole('option').first().innerText()).toContain(name)
    await field.press('ArrowDown')
    await field.press('Enter')
    await expect.poll(() => field.inputValue()).toBe(name)
  }

  /** Opens a menu of choices and takes one by its first letters. */
  async function pick(page: Page, label: string, option: string) {
    await page.getByRole('button', { name: label }).press('Enter')
    await page.getByRole('option', { name: option }).press('Enter')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  }
})
