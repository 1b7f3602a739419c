import { parseJson, propertyOf, SPEECH_ADDRESSES } from '@troupe/contract'
import { wavFault } from '../pcm/wav-fault.ts'
import { SpeechError } from '../spoken/speech-error.ts'
import type { SpeakOptions, SpokenText } from '../spoken/spoken-text.ts'

/** A provider's HTTP interface for a complete text. */
export interface ProviderSpeech {
  /** The path below the provider's address. */
  path(spoken: SpokenText): string
  headers(apiKey: string): Record<string, string>
  body(spoken: SpokenText): Record<string, unknown>
  /** The response as a WAV file; null when it is not audio. `type`: the media type of the response. */
  wav(answer: Buffer, type: string): Buffer | null
}

/** Three minutes at the highest rate of the providers; a tested text has 500 characters. */
const MAX_AUDIO_MB = 16
const MAX_REASON_BYTES = 16 * 1024
const MAX_REASON = 300

/** @throws SpeechError with the provider's own reason */
export async function requestSpeech(
  provider: ProviderSpeech,
  spoken: SpokenText,
  { fetch, signal }: SpeakOptions,
): Promise<Buffer> {
  const { apiKey, baseUrl } = spoken
  if (apiKey === null && baseUrl === null) {
    throw new SpeechError(`${spoken.provider} needs a credential for its host.`)
  }
  const url = `${addressOf(spoken)}${provider.path(spoken)}`
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === null ? {} : provider.headers(apiKey)),
  }
  const response = await answerOf(spoken.provider, () =>
    fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(provider.body(spoken)),
      redirect: 'error',
      signal,
    }),
  )
  const most = response.ok ? MAX_AUDIO_MB * 1024 * 1024 : MAX_REASON_BYTES
  const { bytes: answer, isCut } = await answerOf(spoken.provider, () => firstBytes(response, most))
  if (!response.ok) {
    const reason = reasonIn(answer, apiKey)
    throw new SpeechError(
      `${spoken.provider} answered ${response.status}${reason === '' ? '.' : `: ${reason}`}`,
    )
  }
  if (isCut) throw new SpeechError(`${spoken.provider} answered with more than ${MAX_AUDIO_MB} MB.`)
  const wav = provider.wav(answer, response.headers.get('content-type') ?? '')
  if (wav === null) throw new SpeechError(`${spoken.provider} did not answer with audio.`)
  const fault = wavFault(wav)
  if (fault !== null) throw new SpeechError(`${spoken.provider} answered with audio that ${fault}.`)
  return wav
}

/** Streaming adapters also take the address of a WebSocket. */
function addressOf({ provider, baseUrl }: SpokenText): string {
  const address = baseUrl ?? SPEECH_ADDRESSES[provider] ?? ''
  const http = address.startsWith('ws') ? `http${address.slice(2)}` : address
  return http.endsWith('/') ? http.slice(0, -1) : http
}

async function answerOf<T>(provider: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof SpeechError) throw error
    const name = propertyOf(error, 'name')
    if (name === 'TimeoutError' || name === 'AbortError') {
      throw new SpeechError(`${provider} did not answer in time.`, { cause: error })
    }
    const refused = [error, propertyOf(error, 'cause')].find(
      (one) => propertyOf(one, 'code') === 'ADDRESS_NOT_ALLOWED',
    )
    const message = propertyOf(refused, 'message')
    const reason = typeof message === 'string' ? message : `${provider} cannot be reached.`
    throw new SpeechError(reason, { cause: error })
  }
}

/** The first bytes of a response; the rest is not read, and the connection is closed. */
async function firstBytes(response: Response, most: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    size += part.length
    if (size > most) break
  }
  return { bytes: Buffer.concat(parts).subarray(0, most), isCut: size > most }
}

/** The provider's error message, on one line and without the key. */
function reasonIn(answer: Buffer, apiKey: string | null): string {
  const text = answer.toString('utf8')
  const said = saidIn(text) ?? text
  const hidden = apiKey === null ? said : said.replaceAll(apiKey, '[hidden]')
  return hidden.slice(0, MAX_REASON).replaceAll(/\s+/g, ' ').trim()
}

/** The message of a JSON error in the providers' formats. */
function saidIn(text: string): string | null {
  const parsed = parseJson(text)
  if (!parsed.ok) return null
  const answer = parsed.value
  const found = [
    propertyOf(propertyOf(answer, 'error'), 'message'),
    propertyOf(propertyOf(answer, 'detail'), 'message'),
    propertyOf(answer, 'detail'),
    propertyOf(answer, 'err_msg'),
    propertyOf(answer, 'message'),
  ].find((one) => typeof one === 'string')
  return typeof found === 'string' ? found : null
}
