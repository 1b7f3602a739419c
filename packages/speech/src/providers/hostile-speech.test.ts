import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { TtsProviderId } from '@troupe/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readWav, writeWav } from '../pcm/wav.ts'
import { speakText } from '../speak-text.ts'

const MB = 1024 * 1024
/** Like the operation that tests a voice, but shorter. */
const PATIENCE_MS = 1_000
const SAMPLES = Int16Array.from([1, -2, 3, -4])
const WAV = writeWav({ samples: SAMPLES, rate: 24_000 })
const PROVIDERS = ['openai', 'deepgram', 'elevenlabs', 'google'] as const

let answer: (response: ServerResponse) => void
/** Bytes written in the provider's response, and whether its connection has ended. */
const seen = { written: 0, closed: false }
const provider = createServer((request, response) => {
  request.resume()
  response.once('close', () => {
    seen.closed = true
  })
  answer(response)
})
let baseUrl: string
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  const address = provider.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})
afterEach(() => {
  Object.assign(seen, { written: 0, closed: false })
})

/** The interpretation of a provider's response: samples and rate, or the message of the error. */
async function spoken(
  id: TtsProviderId,
  given: (response: ServerResponse) => void,
  patienceMs = PATIENCE_MS,
) {
  answer = given
  const text = { text: 'Good morning.', provider: id, language: 'en', model: null, voice: null }
  const voice = { ...text, baseUrl, speed: 1, apiKey: 'key' }
  try {
    return readWav(await speakText(voice, { fetch, signal: AbortSignal.timeout(patienceMs) }))
  } catch (error) {
    return String(error)
  }
}

/** Writes endlessly, as fast as it is read. */
function endless(first: Buffer, part: Buffer, type: string) {
  return (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).write(first)
    const go = () => {
      while (!response.destroyed) {
        seen.written += part.length
        if (!response.write(part)) return void response.once('drain', go)
      }
    }
    go()
  }
}

const whole =
  (body: Buffer | string, type = 'audio/wav') =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }

describe('a speech provider', () => {
  test.for(
    PROVIDERS,
  )('%s that never stops answering is left after 16 MB, and nothing of it is used', async (id) => {
    const before = process.memoryUsage().rss
    // The byte limit ends it, regardless of the time.
    expect(await spoken(id, endless(WAV, Buffer.alloc(MB), 'audio/wav'), 60_000)).toBe(
      `SpeechError: ${id} answered with more than 16 MB.`,
    )
    await expect.poll(() => seen.closed).toBe(true)
    expect(seen.written).toBeLessThan(40 * MB)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB)
  })

  test.for(
    PROVIDERS,
  )('%s that sends a byte now and then, or nothing behind its header, is left in time', async (id) => {
    const slowly = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'audio/wav' })
      const timer = setInterval(() => response.write('R'), 50)
      response.once('close', () => clearInterval(timer))
    }
    const silent = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': 1_000 }).write(WAV)
    }
    for (const given of [slowly, silent]) {
      const startedAt = performance.now()
      expect(await spoken(id, given)).toBe(`SpeechError: ${id} did not answer in time.`)
      expect(performance.now() - startedAt).toBeLessThan(5 * PATIENCE_MS)
      await expect.poll(() => seen.closed).toBe(true)
    }
  })

  test.for(PROVIDERS)('%s with a header and no sound gets an error message', async (id) => {
    const empty: Record<(typeof PROVIDERS)[number], Buffer> = {
      openai: WAV.subarray(0, 44),
      deepgram: WAV.subarray(0, 45),
      elevenlabs: Buffer.from('R'),
      google: Buffer.from(
        JSON.stringify({ candidates: [{ content: { parts: [{ inlineData: { data: '%%%%' } }] } }] }),
      ),
    }
    expect(await spoken(id, whole(empty[id]))).toBe(
      `SpeechError: ${id} answered with audio that has no sound.`,
    )
  })

  test.for([
    ['text/html', '<html>A page.</html>'],
    ['application/json', '{"detail":"no"}'],
    ['application/problem+json; charset=utf-8', '{"title":"no"}'],
    ['audio/mpeg', Buffer.from('fffb9064000f', 'hex')],
    ['audio/mpeg', 'ID3 and a title'],
  ] as const)('%s is never taken for the bare samples of elevenlabs', async ([type, body]) => {
    expect(await spoken('elevenlabs', whole(Buffer.from(body), type))).toBe(
      'SpeechError: elevenlabs did not answer with audio.',
    )
  })

  test('samples of elevenlabs that begin as MP3 does are samples by their media type', async () => {
    const heard = await spoken('elevenlabs', whole(Buffer.from('fffb0000', 'hex'), 'audio/pcm'))
    expect(heard).toEqual({ samples: Int16Array.from([-1_025, 0]), rate: 22_050 })
  })
})

describe('a WAV header', () => {
  const changed = (change: (file: Buffer) => void) => {
    const file = Buffer.from(WAV)
    change(file)
    return file
  }

  test.for([
    // As in a file that was never closed: both lengths are the writer's initial ones.
    [
      '0 bytes',
      (file: Buffer) => {
        file.writeUInt32LE(0, 4)
        file.writeUInt32LE(0, 40)
      },
    ],
    [
      '0 bytes beside 36 of the file',
      (file: Buffer) => {
        file.writeUInt32LE(36, 4)
        file.writeUInt32LE(0, 40)
      },
    ],
    ['4 GB', (file: Buffer) => file.writeUInt32LE(0xffff_ffff, 40)],
    ['a byte more than there is', (file: Buffer) => file.writeUInt32LE(9, 40)],
  ] as const)('that names %s of sound yields all of the sound', async ([, change]) => {
    expect(await spoken('openai', whole(changed(change)))).toEqual({ samples: SAMPLES, rate: 24_000 })
  })

  const LIST = Buffer.from('4c49535410000000494e464f49434d540400000053616d00', 'hex')
  const closed = (...parts: Buffer[]) => {
    const file = Buffer.concat(parts)
    file.writeUInt32LE(file.length - 8, 4)
    return file
  }

  // The chunk that libsndfile appends for strings set after the samples (`sf_set_string`).
  test('that was closed keeps what follows its samples out of the sound, even when there are none', async () => {
    expect(await spoken('openai', whole(closed(WAV, LIST)))).toEqual({ samples: SAMPLES, rate: 24_000 })
    const empty = changed((file) => file.writeUInt32LE(0, 40)).subarray(0, 44)
    expect(await spoken('openai', whole(closed(empty, LIST)))).toBe(
      'SpeechError: openai answered with audio that has no sound.',
    )
  })

  // The first 44 bytes of `sox -n -t wav -r 24000 -b 16 -c 1 - synth 0.05 sine 440 | cat` (SoX 14.4), which declares
  // 2 GB.
  test('as streamed by SoX yields all of the sound', async () => {
    const header = '5249464624f0ff7f57415645666d74201000000001000100c05d000080bb0000020010006461746100f0ff7f'
    const streamed = Buffer.concat([Buffer.from(header, 'hex'), WAV.subarray(44)])
    expect(await spoken('openai', whole(streamed))).toEqual({ samples: SAMPLES, rate: 24_000 })
  })

  test.for([
    ['a rate of 0', (file: Buffer) => file.writeUInt32LE(0, 24), 'has 0 samples a second'],
    ['a rate of one', (file: Buffer) => file.writeUInt32LE(1, 24), 'has 1 samples a second'],
    [
      'a rate of 4 GHz',
      (file: Buffer) => file.writeUInt32LE(0xffff_ffff, 24),
      'has 4294967295 samples a second',
    ],
    ['no channel', (file: Buffer) => file.writeUInt16LE(0, 22), 'has 0 channels'],
    [
      'MP3 inside of it',
      (file: Buffer) => file.writeUInt16LE(0x55, 20),
      'has the format 85, which is not plain WAV',
    ],
    ['no format', (file: Buffer) => file.write('junk', 12), 'does not say its format'],
  ] as const)('with %s is refused', async ([, change, fault]) => {
    expect(await spoken('openai', whole(changed(change)))).toBe(
      `SpeechError: openai answered with audio that ${fault}.`,
    )
  })

  test('whose first chunk is longer than the file is not audio', async () => {
    const file = changed((one) => one.writeUInt32LE(0xffff_fff0, 16))
    expect(await spoken('openai', whole(file))).toBe('SpeechError: openai did not answer with audio.')
  })
})
