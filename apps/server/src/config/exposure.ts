import { expandNetworks, isLoopbackHost, unreachableNetworks } from '@troupe/safe-fetch'
import { weakSecretFault } from '@troupe/secrets'
import type { Problems } from './problems.ts'
import type { Values } from './read-values.ts'
import type { VariableName } from './variables.ts'

/**
 * Reachability of this server, with its consequences. Decided only in this file: other code reads a field of this object, never the
 * bind address or the public URL.
 */
export interface Exposure {
  /** Whether only this machine can reach the server. API keys and admin tokens chosen by people then need not withstand guessing. */
  isLocalOnly: boolean
  /** Whether it was set by `TROUPE_EXPOSURE`; otherwise it was inferred, and signs of a proxy withdraw its consequences. */
  isStated: boolean
  /** Public URL of this server, without a trailing slash. */
  publicUrl: string
  /** Whether `TROUPE_PUBLIC_URL` is set. Without it, pages may also be opened at a literal IP address of this machine. */
  hasPublicUrl: boolean
  /** CIDR ranges of proxies whose forwarded client address is trusted; empty: the peer is the client. */
  trustedProxies: readonly string[]
  /** Whether there are trusted proxies. */
  areProxiesTrusted: boolean
  /** Whether a proxy certainly is in front, so that loopback and private addresses are never a visitor's own. */
  isBehindProxy: boolean
  /** CIDR ranges besides public addresses that tenants' requests may reach. */
  allowedNetworks: readonly string[]
  /** Whether they were set by `TROUPE_ALLOWED_NETWORKS`; otherwise they follow from `isLocalOnly`. */
  areNetworksStated: boolean
  /** `auto`: on for an empty database without a bundle. */
  playground: 'on' | 'off' | 'auto'
  /** Whether passwords, API keys and the first sign-in link are printed; otherwise they are written to a file in the data folder. */
  printsSecrets: boolean
  /** Where `/metrics` is served. `token`: on the public port, for bearers of `TROUPE_METRICS_TOKEN` or the admin token. */
  metrics: 'open' | 'token' | 'admin-port'
  /** `max-age` of `Strict-Transport-Security`; 0: the header is not sent. */
  hstsSeconds: number
  /** Decisions with their reasons, one sentence each; printed by `npm run config`. */
  decisions: readonly string[]
  /** Changes that an operator should make, one sentence each; for the log and `npm run config`. */
  warnings: readonly string[]
}

/** The settings that the exposure depends on. */
export interface Around {
  host: string
  port: number
  adminPort: number | null
}

const ONE_YEAR = 31_536_000
const TWO_YEARS = 2 * ONE_YEAR
const WILDCARDS = ['0.0.0.0', '::']

/** Decides the exposure. Contradictory settings become problems, which stop the start. */
export function readExposure(values: Values, around: Around, problems: Problems): Exposure {
  const { host, adminPort } = around
  const stated = values.choice('TROUPE_EXPOSURE', ['local', 'public'])
  const hasPublicUrl = values.text('TROUPE_PUBLIC_URL') !== null
  const publicUrl = readPublicUrl(values, around.port, problems)
  const trustedProxies = readProxies(values, problems)
  const reason = reasonOfExposure(host, publicUrl, trustedProxies)
  const isLocalOnly = stated === null ? reason === null : stated === 'local'
  if (stated === 'local') refuseContradictions(host, publicUrl, trustedProxies, problems)

  const wanted = values.choice('TROUPE_PLAYGROUND', ['on', 'off'])
  const given = values.list('TROUPE_ALLOWED_NETWORKS')
  const allowedNetworks = readNetworks(given ?? [isLocalOnly ? 'loopback' : 'none'], problems)
  const playground: Exposure['playground'] = wanted ?? (isLocalOnly ? 'auto' : 'off')
  const prints = values.choice('TROUPE_PRINT_SECRETS', ['on', 'off'])
  const printsSecrets = prints === null ? isLocalOnly : prints === 'on'
  const metricsToken = values.text('TROUPE_METRICS_TOKEN')
  checkMetricsToken(metricsToken, isLocalOnly, problems)
  const needsToken = !isLocalOnly || metricsToken !== null
  const metrics = adminPort !== null ? 'admin-port' : needsToken ? 'token' : 'open'
  const hstsSeconds = readHsts(values, publicUrl, problems)

  // The server itself speaks no TLS, and only this machine can reach a loopback address.
  const isBehindProxy = publicUrl.startsWith('https:') || (!isLocalOnly && isLoopbackHost(host))
  const proxies = { trustedProxies, areProxiesTrusted: trustedProxies.length > 0, isBehindProxy }
  const found = { isLocalOnly, isStated: stated !== null, publicUrl, hasPublicUrl, ...proxies }
  const exposure = { ...found, allowedNetworks, areNetworksStated: given !== null, playground, printsSecrets }
  const decided = { ...exposure, metrics, hstsSeconds } as const
  return {
    ...decided,
    decisions: decisionsOf(decided, { stated, reason, wanted, prints, metricsToken }, around),
    warnings: warningsOf(decided, around),
  }
}

/** Whether the inferred allowed networks were withdrawn because a proxy was detected. */
export function areNetworksWithdrawn(
  { isStated, areNetworksStated }: Exposure,
  isProxySeen: boolean,
): boolean {
  return isProxySeen && !isStated && !areNetworksStated
}

/** The networks besides public addresses that tenants' requests may reach now. */
export function networksInForce(exposure: Exposure, isProxySeen: boolean): readonly string[] {
  return areNetworksWithdrawn(exposure, isProxySeen) ? [] : exposure.allowedNetworks
}

/** Whether `/metrics` is open only until a proxy is detected. */
export function isMetricsInferred({ isStated, metrics }: Pick<Exposure, 'isStated' | 'metrics'>): boolean {
  return !isStated && metrics === 'open'
}

/** The log message for a detected proxy that `TROUPE_TRUSTED_PROXIES` does not name. */
export function warningOfProxy(exposure: Exposure): string {
  const found =
    'a request came through a proxy that TROUPE_TRUSTED_PROXIES does not name, so limits by address also count all of its visitors together. Set TROUPE_TRUSTED_PROXIES to its network (loopback for this machine), and TROUPE_PUBLIC_URL'
  if (!exposure.isLocalOnly || exposure.isStated) return `${found}.`
  return `${found}. Until the next start requests for tenants reach public addresses only, unless TROUPE_ALLOWED_NETWORKS is set, and /metrics needs a token. TROUPE_EXPOSURE=local prevents both.`
}

/** The reason why other machines can reach the server; null: no sign of it. */
function reasonOfExposure(host: string, publicUrl: string, proxies: readonly string[]): string | null {
  if (!isLoopbackHost(host)) return `HOST is ${host}`
  if (!isLoopbackHost(hostOf(publicUrl))) return `TROUPE_PUBLIC_URL is ${publicUrl}`
  return proxies.length > 0 ? 'TROUPE_TRUSTED_PROXIES names a proxy in front of it' : null
}

/** `local` is for a container whose port is published on a loopback address, which this process cannot see. */
function refuseContradictions(
  host: string,
  publicUrl: string,
  proxies: readonly string[],
  problems: Problems,
): void {
  const local = 'TROUPE_EXPOSURE is local, which means that only this machine reaches the server, but'
  if (!isLoopbackHost(host) && !WILDCARDS.includes(host)) {
    problems.add(`${local} HOST is ${host}. Set HOST to 127.0.0.1, or TROUPE_EXPOSURE to public.`)
  }
  if (!isLoopbackHost(hostOf(publicUrl))) {
    problems.add(`${local} TROUPE_PUBLIC_URL is ${publicUrl}. Remove one of the two variables.`)
  }
  if (proxies.length > 0) {
    problems.add(`${local} TROUPE_TRUSTED_PROXIES names a proxy. Remove one of the two variables.`)
  }
}

function readPublicUrl(values: Values, port: number, problems: Problems): string {
  const url = values.url('TROUPE_PUBLIC_URL', ['http', 'https'])
  if (!url) return `http://localhost:${port}`
  if (url.username || url.password || url.search || url.hash) {
    problems.add('TROUPE_PUBLIC_URL must not have a user name, a query or a fragment.')
  }
  if (url.pathname !== '/') {
    problems.add(
      `TROUPE_PUBLIC_URL must not have a path (${url.pathname}): pages, cookies and the API are at the root. Give Troupe its own host name, such as troupe.${url.hostname}.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** The host of a URL, in the notation of `HOST`. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : ''
}

function readProxies(values: Values, problems: Problems): readonly string[] {
  const name = 'TROUPE_TRUSTED_PROXIES'
  const ranges = readRanges(name, values.list(name) ?? [], problems)
  if (ranges.some((range) => range.endsWith('/0'))) {
    problems.add(
      `${name} trusts every address, so any caller can fake an address. Name the networks of your proxies.`,
    )
  }
  return ranges
}

function readNetworks(parts: readonly string[], problems: Problems): readonly string[] {
  const name = 'TROUPE_ALLOWED_NETWORKS'
  const ranges = readRanges(name, parts, problems)
  for (const range of unreachableNetworks(ranges)) {
    problems.add(
      `${name} has "${range}", which has link-local addresses or addresses of a cloud platform. Requests for tenants never reach them.`,
    )
  }
  return ranges
}

function readRanges(name: VariableName, parts: readonly string[], problems: Problems): readonly string[] {
  const { ranges, invalid } = expandNetworks(parts)
  for (const part of invalid) {
    problems.add(`${name} has "${part}", which is not an address, a CIDR range, loopback, private or none.`)
  }
  return ranges
}

function checkMetricsToken(token: string | null, isLocalOnly: boolean, problems: Problems): void {
  if (token === null) return
  const fault = isLocalOnly ? null : weakSecretFault(token)
  if (fault !== null) problems.add(`TROUPE_METRICS_TOKEN ${fault}.`)
  if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.add('TROUPE_METRICS_TOKEN must contain only printable ASCII characters and no spaces.')
  }
}

/** Browsers ignore the header over plain HTTP, and for a loopback name it would affect every other program there. */
function readHsts(values: Values, publicUrl: string, problems: Problems): number {
  const given = values.integer('TROUPE_HSTS_SECONDS', { min: 0, max: TWO_YEARS })
  const isHttps = publicUrl.startsWith('https:')
  if (given !== null && given > 0 && !isHttps) {
    problems.add(
      `TROUPE_HSTS_SECONDS tells browsers to use https only, but TROUPE_PUBLIC_URL is ${publicUrl}. Set it to an https:// URL, or remove TROUPE_HSTS_SECONDS.`,
    )
  }
  return given ?? (isHttps && !isLoopbackHost(hostOf(publicUrl)) ? ONE_YEAR : 0)
}

type Decided = Omit<Exposure, 'decisions' | 'warnings'>

interface Given {
  stated: 'local' | 'public' | null
  reason: string | null
  wanted: 'on' | 'off' | null
  prints: 'on' | 'off' | null
  metricsToken: string | null
}

function decisionsOf(decided: Decided, given: Given, { port }: Around): string[] {
  const { isLocalOnly, allowedNetworks, trustedProxies, playground, printsSecrets, hstsSeconds } = decided
  const because = (isSet: boolean, name: VariableName) =>
    isSet
      ? `as ${name} says`
      : isLocalOnly
        ? 'as only this machine reaches the server'
        : 'as others reach the server'
  const why = given.stated
    ? 'as TROUPE_EXPOSURE says'
    : (given.reason ?? 'HOST and TROUPE_PUBLIC_URL are loopback addresses, and no proxy is trusted')
  return [
    `${isLocalOnly ? 'Only this machine reaches the server' : 'Other machines reach the server'}: ${why}.`,
    `Requests for tenants reach public addresses${allowedNetworks.length > 0 ? ` and ${allowedNetworks.join(', ')}` : ' only'}: ${because(decided.areNetworksStated, 'TROUPE_ALLOWED_NETWORKS')}.`,
    `The Playground is ${playground === 'auto' ? 'seeded into an empty database without a bundle' : playground === 'on' ? 'seeded' : 'not seeded'}: ${because(given.wanted !== null, 'TROUPE_PLAYGROUND')}.`,
    `Passwords, API keys and the first sign-in link are ${printsSecrets ? 'printed' : 'written to a file in the data folder, not printed'}: ${because(given.prints !== null, 'TROUPE_PRINT_SECRETS')}.`,
    metricsDecision(
      decided.metrics,
      given,
      because(given.metricsToken !== null, 'TROUPE_METRICS_TOKEN'),
      port,
    ),
    trustedProxies.length > 0
      ? `X-Forwarded-For is believed from ${trustedProxies.join(', ')}.`
      : 'X-Forwarded-For is not believed: TROUPE_TRUSTED_PROXIES is not set.',
    hstsSeconds > 0
      ? `Browsers must use https for ${hstsSeconds} seconds (Strict-Transport-Security).`
      : 'Strict-Transport-Security is not sent.',
  ]
}

function metricsDecision(
  metrics: Exposure['metrics'],
  { metricsToken }: Given,
  because: string,
  port: number,
): string {
  if (metrics === 'admin-port') {
    return `/metrics is on TROUPE_ADMIN_PORT only${metricsToken === null ? '' : ', and requires TROUPE_METRICS_TOKEN'}.`
  }
  if (metrics === 'open') return `/metrics is on port ${port} without a key: ${because}.`
  return `/metrics is on port ${port} and requires ${metricsToken === null ? 'the admin token' : 'TROUPE_METRICS_TOKEN or the admin token'}: ${because}.`
}

function warningsOf(decided: Decided, { port }: Around): string[] {
  const { isLocalOnly, publicUrl, hasPublicUrl, allowedNetworks, playground } = decided
  if (isLocalOnly) return []
  const warnings: string[] = []
  const isPublicName = !isLoopbackHost(hostOf(publicUrl))
  if (!hasPublicUrl) {
    warnings.push(
      `Others reach the server, but TROUPE_PUBLIC_URL is not set: links lead to http://localhost:${port}, and pages work at that address and at addresses of this machine only.`,
    )
  }
  if (isPublicName && publicUrl.startsWith('http:')) {
    warnings.push(
      'TROUPE_PUBLIC_URL starts with http://: passwords, API keys and cookies travel unencrypted. Put a proxy with TLS in front of the server.',
    )
  }
  if (decided.isBehindProxy && !decided.areProxiesTrusted) {
    warnings.push(
      'A proxy is in front of the server, but TROUPE_TRUSTED_PROXIES is not set: limits by address also count all of its visitors together. Set it to the network of the proxy (loopback for this machine).',
    )
  }
  if (allowedNetworks.some((range) => range.startsWith('127.') || range === '::1/128')) {
    warnings.push(
      'TROUPE_ALLOWED_NETWORKS has loopback addresses: every tenant reaches the services on this machine.',
    )
  }
  if (playground === 'on') {
    warnings.push(
      'TROUPE_PLAYGROUND is on while others reach the server: its form and its webhook are public.',
    )
  }
  return warnings
}
