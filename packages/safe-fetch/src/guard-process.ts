import { isIP, type LookupFunction, Socket } from 'node:net'
import { createAddressGuard } from './address-guard.ts'
import { BlockedAddressError } from './blocked-address-error.ts'
import { guardedLookup, type Resolve } from './guarded-lookup.ts'

/** The destinations of a guarded process. */
export interface ProcessGuardOptions {
  /** URLs of the operator's services that this process needs, whatever their addresses are. */
  services: readonly string[]
  /** CIDR ranges in addition to public addresses. */
  allowedNetworks: readonly string[]
  resolve?: Resolve
}

/** The guard of a process. Disposing removes it. */
export interface ProcessGuard extends Disposable {
  /** Replaces the allowed networks. */
  allow(networks: readonly string[]): void
  /** Whether a URL leads to one of the services, which tenants' settings must not name. */
  isService(url: string): boolean
}

/** Maximum bytes of a response to `fetch`: five minutes of speech with 24,000 samples per second. */
const MOST_BYTES = 16 * 1024 * 1024

/** The relevant options of a connection. */
interface Target {
  host?: string
  port?: string | number
  path?: string
  lookup?: LookupFunction
}

/**
 * Restricts this process to connections to public addresses, the allowed networks and the operator's services, whether
 * made by `fetch`, by a web socket, or by a library that takes no connector. Every TCP and TLS connection of Node
 * passes `Socket.prototype.connect`, which this replaces; `test/outgoing-requests.test.ts` lists the places that need
 * it. Connections of native libraries are not covered.
 *
 * `fetch` follows no redirects here: a tenant's provider could redirect to one of the operator's services, which every
 * request of this process may reach. Node's `http` and `ws` follow none by themselves. A response of any host but the
 * services fails after 16 MB: speech libraries read a complete response into memory before they check it.
 */
export function guardProcess(options: ProcessGuardOptions): ProcessGuard {
  const services = new Set(options.services.map(addressOf))
  let isAllowed = createAddressGuard(options.allowedNetworks)
  const lookup = guardedLookup((address) => isAllowed(address), options.resolve)
  const original: (...args: never[]) => unknown = Socket.prototype.connect

  function connect(this: Socket, ...args: unknown[]): unknown {
    const [first] = args
    // `net.connect` passes its arguments as one array that Node has normalized; the first one is the options.
    const isNormalized = Array.isArray(first)
    const target = targetOf(isNormalized ? [first[0]] : args)
    // A Unix domain socket: no URL leads there.
    if (target.path) return Reflect.apply(original, this, args)
    if (services.has(`${target.host ?? 'localhost'}:${target.port}`)) {
      return Reflect.apply(original, this, args)
    }
    const host = (target.host ?? 'localhost').replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) !== 0 && !isAllowed(host)) {
      process.nextTick(() => this.destroy(new BlockedAddressError()))
      return this
    }
    const guarded = { ...target, lookup }
    if (isNormalized) first[0] = guarded
    else args.splice(0, args.length, guarded, ...args.filter((arg) => typeof arg === 'function'))
    return Reflect.apply(original, this, args)
  }

  const originalFetch = globalThis.fetch
  const isService = (url: string) => URL.canParse(url) && services.has(addressOf(url))
  globalThis.fetch = async (input, init) => {
    // `manual` does not follow redirects either; without the option, a request would follow them.
    const redirect = init?.redirect === 'manual' ? 'manual' : 'error'
    const response = await originalFetch(input, { ...init, redirect })
    return isService(input instanceof Request ? input.url : String(input))
      ? response
      : boundedResponse(response)
  }
  Object.defineProperty(Socket.prototype, 'connect', { value: connect, writable: true, configurable: true })
  return {
    allow(networks) {
      isAllowed = createAddressGuard(networks)
    },
    isService,
    [Symbol.dispose]() {
      globalThis.fetch = originalFetch
      Object.defineProperty(Socket.prototype, 'connect', {
        value: original,
        writable: true,
        configurable: true,
      })
    },
  }
}

/** The same response, with a body that fails after {@link MOST_BYTES}, measured after decoding. */
function boundedResponse(response: Response): Response {
  const { body, headers } = response
  if (body === null) return response
  let size = 0
  const bounded = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        size += part.byteLength
        if (size > MOST_BYTES) controller.error(new Error('The answer is longer than 16 MB.'))
        else controller.enqueue(part)
      },
    }),
  )
  const copy = new Response(bounded, { headers })
  // The constructor refuses a status such as 999 and a reason phrase outside Latin-1, both of which servers send; and
  // its response has no URL.
  for (const fact of ['status', 'statusText', 'ok', 'url', 'type'] as const) {
    Object.defineProperty(copy, fact, { value: response[fact] })
  }
  return copy
}

/** The target in the arguments of `connect`: options, or a port and a host, or a path. */
function targetOf(args: readonly unknown[]): Target {
  const [first, second] = args
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first }
  const target: Target = typeof first === 'number' || typeof first === 'string' ? { port: first } : {}
  if (typeof second === 'string') target.host = second
  return target
}

/** Host and port of a URL, in the form of a connection. */
function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  const standard = protocol === 'https:' || protocol === 'wss:' ? '443' : '80'
  return `${hostname.replace(/^\[(.*)\]$/, '$1')}:${port || standard}`
}
