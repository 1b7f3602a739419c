import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readWav, writeWav } from './pcm/wav.ts'
import { speakText } from './speak-text.ts'
import type { SpokenText } from './spoken/spoken-text.ts'

const KEY = 'key-of-the-provider'
const SAMPLES = Int16Array.from([1, -2, 3, -4])
const WAV = writeWav({ samples: SAMPLES, rate: 24_000 })
const PCM = WAV.subarray(44)
const GEMINI = {
  candidates: [{ content: { parts: [{ inlineData: { data: PCM.toString('base64') } }] } }],
}

const spoken = (given: Partial<SpokenText>): SpokenText => ({
  ...{ text: 'Good morning.', provider: 'openai', language: 'en', model: null, voice: null },
  ...{ baseUrl: null, speed: 1, apiKey: KEY },
  ...given,
})

/** Synthesizes speech with a provider that responds as given; also returns the request. */
async function speak(given: Partial<SpokenText>, answer: () => Response | Promise<Response>) {
  const requests: { url: string; headers: Headers; body: unknown; redirect: unknown }[] = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { headers, body, redirect } = init
    const url = String(input)
    requests.push({ url, headers: new Headers(headers), body: JSON.parse(String(body)), redirect })
    return answer()
  }
  const wav = await speakText(spoken(given), { fetch, signal: AbortSignal.timeout(20_000) })
  return { pcm: readWav(wav), request: requests[0] }
}

describe('a text', () => {
  test('is spoken without its marks', async () => {
    const { request } = await speak(
      { text: '# Hello\n\n**Plans** [1]:\n\n| Plan | Price |\n|---|---|\n| Pro | $5 |' },
      () => new Response(Uint8Array.from(WAV)),
    )
    expect(request?.body).toMatchObject({ input: 'Hello.\nPlans:\nPlan: Pro, Price: $5.' })
  })

  test('without a word is not spoken', async () => {
    const answer = () => new Response(Uint8Array.from(WAV))
    await expect(speak({ text: '🎉 <b></b>' }, answer)).rejects.toThrow('Nothing of this text can be spoken')
  })
})

describe('a provider', () => {
  test.for([
    ['openai', {}, 'https://api.openai.com/v1/audio/speech', 'authorization', `Bearer ${KEY}`, WAV],
    [
      'openai',
      { baseUrl: 'https://speech.example/v1/' },
      'https://speech.example/v1/audio/speech',
      'authorization',
      `Bearer ${KEY}`,
      WAV,
    ],
    [
      'deepgram',
      { voice: 'aura-2-thalia-en', speed: 1.2, baseUrl: 'wss://eu.deepgram.example' },
      'https://eu.deepgram.example/v1/speak?model=aura-2-thalia-en&encoding=linear16&container=wav&sample_rate=24000&speed=1.2',
      'authorization',
      `Token ${KEY}`,
      WAV,
    ],
    [
      'elevenlabs',
      { voice: 'a/b' },
      'https://api.elevenlabs.io/v1/text-to-speech/a%2Fb?output_format=pcm_22050',
      'xi-api-key',
      KEY,
      PCM,
    ],
    [
      'google',
      {},
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.1-flash-tts-preview:generateContent',
      'x-goog-api-key',
      KEY,
      Buffer.from(JSON.stringify(GEMINI)),
    ],
  ] as const)('%s with %o is asked at its address with its key', async ([
    provider,
    given,
    url,
    name,
    value,
    bytes,
  ]) => {
    const { pcm, request } = await speak({ provider, ...given }, () => new Response(Uint8Array.from(bytes)))
    expect(pcm.samples).toEqual(SAMPLES)
    expect(request).toMatchObject({ url, redirect: 'error' })
    expect(request?.headers.get(name)).toBe(value)
    expect(JSON.stringify(request?.body)).toContain('Good morning.')
  })

  test.for([
    [{ error: { message: `Incorrect API key provided: ${KEY}.` } }, 'Incorrect API key provided: [hidden].'],
    [{ detail: { status: 'quota_exceeded', message: 'No credits.' } }, 'No credits.'],
    [{ err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.' }, 'Invalid credentials.'],
  ] as const)('that refuses %o is quoted without the key', async ([body, reason]) => {
    const answer = () => Response.json(body, { status: 401 })
    await expect(speak({}, answer)).rejects.toThrow(`openai answered 401: ${reason}`)
  })

  test('that does not answer with audio gets an error message', async () => {
    for (const provider of ['openai', 'deepgram', 'google'] as const) {
      const answer = () => new Response('<html>A page.</html>')
      await expect(speak({ provider }, answer)).rejects.toThrow(`${provider} did not answer with audio.`)
    }
  })

  test('whose page of an error is long is quoted with 300 characters on one line', async () => {
    const answer = () => new Response('line\n'.repeat(1_000_000), { status: 500 })
    const error: unknown = await speak({}, answer).catch((caught: unknown) => caught)
    expect(String(error)).toMatch(/^SpeechError: openai answered 500: (line ){59}line$/)
  })

  test('that cannot be reached, or is too slow, is reported', async () => {
    const failing = (error: Error) => speak({}, () => Promise.reject(error))
    await expect(failing(new TypeError('fetch failed'))).rejects.toThrow('openai cannot be reached.')
    const slow = new DOMException('The operation timed out.', 'TimeoutError')
    await expect(failing(slow)).rejects.toThrow('openai did not answer in time.')
  })

  test('of the internet needs a key', async () => {
    const answer = () => new Response(Uint8Array.from(WAV))
    await expect(speak({ apiKey: null }, answer)).rejects.toThrow('openai needs a credential for its host.')
    const { request } = await speak({ apiKey: null, baseUrl: 'https://speech.example' }, answer)
    expect(request?.headers.has('authorization')).toBe(false)
  })

  test('that streams a WAV file without lengths yields one with its lengths', async () => {
    const streamed = Buffer.from(WAV)
    streamed.writeUInt32LE(0xffff_ffff, 4)
    streamed.writeUInt32LE(0xffff_ffff, 40)
    const fetch = async () => new Response(Uint8Array.from(streamed))
    const wav = await speakText(spoken({}), { fetch, signal: AbortSignal.timeout(20_000) })
    expect(wav).toEqual(WAV)
  })
})

const isInstalled = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

test.for([
  ['local-flite', 'flite'],
  ['local-espeak', 'espeak-ng'],
] as const)('%s speaks with a program of the machine, or reports that it is not installed', async ([
  provider,
  program,
]) => {
  const options = { fetch: globalThis.fetch, signal: AbortSignal.timeout(20_000) }
  const speaking = speakText(spoken({ provider, apiKey: null, voice: '/etc/passwd' }), options)
  if (!isInstalled(program)) {
    await expect(speaking).rejects.toThrow(`${program} is not installed on this machine.`)
    return
  }
  const { samples, rate } = readWav(await speaking)
  expect(samples.length / rate).toBeGreaterThan(0.3)
  expect(samples.some((sample) => Math.abs(sample) > 1_000)).toBe(true)
})

test('a program that is not installed is reported', async () => {
  const { runProgram } = await import('./local/run-program.ts')
  await expect(runProgram('no-such-speech-program', [])).rejects.toThrow(
    'no-such-speech-program is not installed on this machine.',
  )
})
