import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { joined, type Speech, sentencesOf, wavOf } from '@troupe/media-servers/testing/audio'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { speak } from '@troupe/media-servers/testing/speak'
import { findChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import { freePort } from '@troupe/test-kit/free-port'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveVoice, openLiveVoice } from './live-voice.ts'
import { ANSWERS, answerTo, GREETING, SAID, SPOKEN_SETTINGS } from './spoken.ts'

const level = await mediaLevel('speech')
const executable = findChromium()
const pictures = process.env.TROUPE_TEST_PICTURES ?? null

const RATE = 16_000
const TURNS = SAID.slice(0, 3)
/** Before the first sentence, for the greeting, and after each sentence, for its answer. */
const PAUSE_S = 7

/** Runs in the page: how far it scrolls sideways. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
/** Runs in the page: records the agent's speech from now on. */
const RECORD = `(() => {
  const context = new AudioContext({ sampleRate: ${RATE} })
  const recorder = context.createScriptProcessor(4096, 1, 1)
  window.recorded = []
  recorder.onaudioprocess = ({ inputBuffer }) => window.recorded.push(...inputBuffer.getChannelData(0))
  context.createMediaStreamSource(document.getElementById('voice-audio').srcObject).connect(recorder)
  recorder.connect(context.destination)
})()`
const RECORDED = 'window.recorded.map((sample) => Math.round(sample * 32767))'

/** A microphone that says the sentences, with time for the answers. */
async function microphone(): Promise<Buffer> {
  const silence = new Int16Array(RATE * PAUSE_S)
  const parts = await Promise.all(TURNS.map((words) => speak(words)))
  return wavOf({
    samples: joined([silence, ...parts.flatMap(({ samples }) => [samples, silence])]),
    rate: RATE,
  })
}

describe.skipIf(level.missing !== null || executable === null)('/voice/try in Chromium', () => {
  let voice: LiveVoice
  let browser: Browser
  let folder: string
  let origin: string
  let cookie: string

  beforeAll(async () => {
    ensureWebBuilt()
    const port = await freePort()
    origin = `http://localhost:${port}`
    voice = await openLiveVoice(level, SPOKEN_SETTINGS, { env: { TROUPE_PUBLIC_URL: origin } })
    await voice.server.app.listen({ host: '127.0.0.1', port })
    const { context, seed } = voice.server
    cookie = await signIn(
      voice.server,
      await seedPerson(context.database, { organizationId: seed.organizationId }),
    )
    folder = await mkdtemp(join(tmpdir(), 'troupe-microphone-'))
    await writeFile(join(folder, 'microphone.wav'), await microphone())
    browser = await chromium.launch({
      executablePath: executable ?? '',
      args: [
        ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic'],
        ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
        `--use-file-for-fake-audio-capture=${join(folder, 'microphone.wav')}%noloop`,
        ...['--disable-features=WebRtcHideLocalIpsWithMdns', '--autoplay-policy=no-user-gesture-required'],
      ],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await voice?.[Symbol.asyncDispose]()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  async function open(colorScheme: 'light' | 'dark', width: number) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url: origin }])
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    await page.goto(`${origin}/voice/try`)
    return { page, problems }
  }

  test.for([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('is accessible and fits: %s, %i pixels', async ([colorScheme, width]) => {
    const { page, problems } = await open(colorScheme, width)
    expect(await page.textContent('h1')).toBe('Talk to a voice agent')
    if (pictures !== null)
      await page.screenshot({ path: `${pictures}/voice-try-${colorScheme}-${width}.png`, fullPage: true })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate<number>(OVERFLOW)).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a caller with a microphone has three turns, and the page shows the heard words', async () => {
    const { page, problems } = await open('light', 1280)
    await page.click('#voice-start')
    await page.waitForSelector('#voice-audio', { state: 'attached', timeout: 20_000 })
    await page.evaluate(RECORD)
    const answers = page.locator('#voice-turns li[data-role="agent"][data-final="true"]')
    await expect.poll(() => answers.count(), { timeout: 60_000 }).toBe(TURNS.length + 1)
    // The last words are still being said when their text is complete.
    await expect.poll(() => page.getAttribute('#voice', 'data-phase')).toBe('listening')
    if (pictures !== null) await page.screenshot({ path: `${pictures}/voice-try-talked.png`, fullPage: true })
    const samples = await page.evaluate<number[]>(RECORDED)
    const heard: Speech = { samples: Int16Array.from(samples), rate: RATE }
    const said = await Promise.all(sentencesOf(heard).map((sentence) => recognise(sentence, ANSWERS)))
    expect(said).toEqual([GREETING, ...TURNS.map(answerTo)])
    expect(await page.locator('#voice-turns li[data-role="caller"]').allTextContents()).toEqual([...TURNS])
    expect(await page.textContent('#voice-median')).toMatch(/^\d+\.\d\d s$/)
    await page.click('#voice-end')
    await expect.poll(() => page.textContent('#voice-state')).toBe('Ready')
    expect(problems).toEqual([])
  })
})
