import { isLoopbackHost } from '@troupe/safe-fetch'
import { weakSecretFault } from '@troupe/secrets'
import type { Problems } from './problems.ts'
import type { Values } from './read-values.ts'

/** Voice sessions and calls over a LiveKit server; its keys are secrets. Times are seconds. */
export interface VoiceConfig {
  /** Without a trailing slash. */
  livekitUrl: string
  /** Returned to callers as `wsUrl`, without a trailing slash. */
  publicWsUrl: string
  /** The listener for voice workers and LiveKit's webhooks. */
  internal: { host: string; port: number }
  /** Health page of the SIP bridge; null: not probed. */
  sipHealthUrl: string | null
  joinTimeoutS: number
  maxSessionS: number
  maxRingingS: number
  billingUnitS: number
  /** Max calls of a trunk in its first 24 hours; 0: no limit. */
  newTrunkCalls: number
}

const NEEDED = [
  'LIVEKIT_HTTP_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
  'VOICE_PUBLIC_WS_URL',
  'VOICE_INTERNAL_TOKEN',
] as const
/** The minimum length required by LiveKit. */
const SHORTEST_API_SECRET = 32
const DEFAULT_LISTEN = '127.0.0.1:7081'

interface Around {
  isLocalOnly: boolean
  /** Ports of the other listeners. */
  ports: readonly (number | null)[]
}

/** Reads the settings of voice: all of them, or null if no required one is set. */
export function readVoice(values: Values, around: Around, problems: Problems): VoiceConfig | null {
  const limits = readLimits(values)
  const missing = NEEDED.filter((name) => values.text(name) === null)
  if (missing.length === NEEDED.length) return null
  if (missing.length > 0) {
    const given = NEEDED.filter((name) => !missing.includes(name))
    problems.add(
      `Voice is only partly configured: ${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} set, but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not. Set all of them, or none.`,
    )
  }
  checkSecrets(values, problems)
  return {
    livekitUrl: plain(values.url('LIVEKIT_HTTP_URL', ['http', 'https']), 'LIVEKIT_HTTP_URL', problems) ?? '',
    publicWsUrl: readPublicWsUrl(values, around, problems),
    internal: readListen(values, around, problems),
    sipHealthUrl: plain(
      values.url('LIVEKIT_SIP_HEALTH_URL', ['http', 'https']),
      'LIVEKIT_SIP_HEALTH_URL',
      problems,
    ),
    ...limits,
  }
}

function readLimits(values: Values) {
  return {
    joinTimeoutS: values.integer('VOICE_JOIN_TIMEOUT_S', { min: 30, max: 3_600 }) ?? 300,
    maxSessionS: values.integer('VOICE_MAX_SESSION_SECONDS', { min: 10, max: 3_600 }) ?? 3_600,
    maxRingingS: values.integer('VOICE_MAX_RINGING_S', { min: 10, max: 60 }) ?? 45,
    billingUnitS: values.integer('VOICE_BILLING_UNIT_S', { min: 1, max: 60 }) ?? 60,
    newTrunkCalls: values.integer('VOICE_NEW_TRUNK_CALLS', { min: 0, max: 1_000_000 }) ?? 20,
  }
}

function checkSecrets(values: Values, problems: Problems): void {
  const secret = values.text('LIVEKIT_API_SECRET')
  if (secret !== null && secret.length < SHORTEST_API_SECRET) {
    problems.add(`LIVEKIT_API_SECRET must have at least ${SHORTEST_API_SECRET} characters.`)
  }
  const token = values.text('VOICE_INTERNAL_TOKEN')
  const fault = token === null ? null : weakSecretFault(token)
  if (fault !== null) problems.add(`VOICE_INTERNAL_TOKEN ${fault}.`)
}

/** Browsers allow the microphone only in secure contexts: loopback or TLS. */
function readPublicWsUrl(values: Values, { isLocalOnly }: Around, problems: Problems): string {
  const url = values.url('VOICE_PUBLIC_WS_URL', ['ws', 'wss'])
  if (url === null) return ''
  const isLoopback = isLoopbackHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))
  if (url.protocol === 'ws:' && !(isLoopback && isLocalOnly)) {
    problems.add(
      'VOICE_PUBLIC_WS_URL must start with wss://; ws:// is for a server and a media server on this machine only.',
    )
  }
  return plain(url, 'VOICE_PUBLIC_WS_URL', problems) ?? ''
}

function readListen(values: Values, { ports }: Around, problems: Problems): VoiceConfig['internal'] {
  const text = values.text('VOICE_INTERNAL_LISTEN') ?? DEFAULT_LISTEN
  const [, bracketed, bare, digits] = /^(?:\[([0-9a-f:.]+)\]|([^:\s]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? bare
  const port = Number(digits)
  if (host === undefined || !(port >= 0 && port <= 65_535)) {
    problems.add(
      `VOICE_INTERNAL_LISTEN must be an address and a port, such as ${DEFAULT_LISTEN}, not "${text}".`,
    )
    return { host: '127.0.0.1', port: 0 }
  }
  if (port !== 0 && ports.includes(port)) {
    problems.add(
      `VOICE_INTERNAL_LISTEN must differ from PORT and TROUPE_ADMIN_PORT, but its port is ${port} too.`,
    )
  }
  return { host, port }
}

/** A URL without secrets and trailing slashes. */
function plain(url: URL | null, name: string, problems: Problems): string | null {
  if (url === null) return null
  if (url.username || url.password || url.search || url.hash) {
    problems.add(`${name} must not have a user name, a password, a query or a fragment.`)
  }
  return url.href.replace(/\/+$/, '')
}
