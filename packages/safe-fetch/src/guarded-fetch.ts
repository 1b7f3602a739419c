import { Agent } from 'undici'
import { type AddressGuard, createAddressGuard, createRangeGuard } from './address-guard.ts'
import { BlockedAddressError } from './blocked-address-error.ts'
import { carriesCredential } from './carries-credential.ts'
import { decodedResponse } from './decoded-response.ts'
import { exchange } from './exchange.ts'
import { guardedConnector } from './guarded-connector.ts'
import type { Resolve } from './guarded-lookup.ts'
import { followRedirect, isRedirect } from './redirects.ts'

const MAX_REDIRECTS = 5
/** The refusal of a credential that would be sent unencrypted. */
const UNENCRYPTED =
  'A credential is sent over https only, or over http to an address that the operator has allowed.'

/** The limits of outgoing requests. Times in milliseconds. */
export interface OutgoingLimits {
  connectTimeoutMs: number
  /** From the request to the first byte of the response. Longer than any first-token timeout of an agent. */
  headersTimeoutMs: number
  /** Longest pause inside a body. */
  idleTimeoutMs: number
  maxResponseBytes: number
}

export const OUTGOING_LIMITS: OutgoingLimits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 600_000,
  idleTimeoutMs: 600_000,
  maxResponseBytes: 64 * 1024 * 1024,
}

/** A `fetch` for requests that tenants cause, with its connection pool. */
export interface GuardedFetch extends AsyncDisposable {
  fetch: typeof globalThis.fetch
}

/**
 * Creates a `fetch` that reaches only public addresses and the allowed ranges; over plain http with a credential, the allowed ranges only. Every connection is checked,
 * including those of redirects. Rejects with {@link BlockedAddressError}, directly or as the `cause` of
 * fetch's `TypeError`.
 */
export function createGuardedFetch(options: {
  allowedNetworks: readonly string[]
  /** Whether the allowed networks have been withdrawn: then public addresses only. */
  isWithdrawn?: () => boolean
  limits?: OutgoingLimits
  resolve?: Resolve
}): GuardedFetch {
  const limits = options.limits ?? OUTGOING_LIMITS
  const agentOf = (isAllowed: AddressGuard, refusal?: string) =>
    new Agent({
      connect: guardedConnector(isAllowed, limits.connectTimeoutMs, options.resolve, refusal),
      headersTimeout: limits.headersTimeoutMs,
      bodyTimeout: limits.idleTimeoutMs,
      maxResponseSize: limits.maxResponseBytes,
      keepAliveTimeout: 30_000,
      allowH2: false,
    })
  // Separate pools: a connection that one guard allowed is never used where another one would refuse it.
  const open = agentOf(createAddressGuard(options.allowedNetworks))
  const publicOnly = agentOf(createAddressGuard([]))
  const allowedOnly = agentOf(createRangeGuard(options.allowedNetworks), UNENCRYPTED)
  const nowhere = agentOf(() => false, UNENCRYPTED)
  const poolFor = (url: URL, init: RequestInit) => {
    const isWithdrawn = options.isWithdrawn?.() === true
    if (url.protocol === 'http:' && carriesCredential(init)) return isWithdrawn ? nowhere : allowedOnly
    return isWithdrawn ? publicOnly : open
  }

  async function guarded(url: URL, init: RequestInit, hops: number): Promise<Response> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new BlockedAddressError('Only http and https may be called.')
    }
    const response = await exchange(url, init, poolFor(url, init))
    // With `manual`, as in Node's `fetch`, a redirect is returned: the caller decides whether to follow it.
    if (!isRedirect(response.status) || init.redirect === 'manual') {
      return decodedResponse(response, limits.maxResponseBytes)
    }
    await response.body?.cancel()
    if (init.redirect === 'error' || hops >= MAX_REDIRECTS) {
      throw new BlockedAddressError('The server redirected too many times.')
    }
    const hop = followRedirect(url, init, response.status, response.headers.get('location'))
    return guarded(hop.url, hop.init, hops + 1)
  }

  return {
    // Providers call with a URL and an init; a Request object is refused on purpose, because it hides its
    // dispatcher.
    fetch: async (input, init = {}) => {
      if (input instanceof Request) throw new TypeError('pass a URL, not a Request')
      return guarded(new URL(input), init, 0)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([open, publicOnly, allowedOnly, nowhere].map((pool) => pool.destroy()))
    },
  }
}
