import type { Problems } from './problems.ts'
import type { Role } from './read-roles.ts'
import type { Values } from './read-values.ts'

/** The engine that delivers jobs to workers. */
export type EngineConfig =
  | { kind: 'local' /** Concurrent jobs. */; concurrency: number }
  | {
      kind: 'restate'
      /** URLs are without secrets and without a trailing slash. */
      ingressUrl: string
      /** null: the operator registers the workers. */
      adminUrl: string | null
      /** null: this process has no role `worker`. */
      worker: {
        host: string
        port: number
        /** The URL at which Restate reaches the workers. */
        advertisedUrl: string
        concurrency: number
      } | null
      /** Public keys of the Restate servers that may call; empty: any caller. */
      identityKeys: readonly string[]
    }

const NEED_INGRESS = [
  'RESTATE_ADMIN_URL',
  'RESTATE_WORKER_HOST',
  'RESTATE_WORKER_PORT',
  'RESTATE_WORKER_URL',
  'RESTATE_IDENTITY_KEYS',
] as const

/** Ed25519, 32 bytes in base 58. */
const PUBLIC_KEY = /^publickeyv1_[1-9A-HJ-NP-Za-km-z]{40,44}$/
const EVERY_ADDRESS = new Set(['0.0.0.0', '::'])

type UrlName = 'RESTATE_INGRESS_URL' | 'RESTATE_ADMIN_URL' | 'RESTATE_WORKER_URL'

/** Reads the engine's settings. `ports`: the other listening ports of this process. */
export function readEngine(
  values: Values,
  { roles, ports }: { roles: ReadonlySet<Role>; ports: readonly (number | null)[] },
  problems: Problems,
): EngineConfig {
  const concurrency = values.integer('TROUPE_WORKER_CONCURRENCY', { min: 1, max: 1_000 }) ?? 64
  const ingressUrl = plainUrl(values, 'RESTATE_INGRESS_URL', problems)
  if (ingressUrl === null) {
    for (const name of values.text('RESTATE_INGRESS_URL') === null ? NEED_INGRESS : []) {
      if (values.text(name) === null) continue
      problems.add(`${name} is set, but RESTATE_INGRESS_URL is not. Set both to use Restate, or none.`)
    }
    return { kind: 'local', concurrency }
  }
  return {
    kind: 'restate',
    ingressUrl,
    adminUrl: plainUrl(values, 'RESTATE_ADMIN_URL', problems),
    worker: roles.has('worker') ? { ...readWorker(values, ports, problems), concurrency } : null,
    identityKeys: readIdentityKeys(values, problems),
  }
}

function readWorker(values: Values, ports: readonly (number | null)[], problems: Problems) {
  const host = values.text('RESTATE_WORKER_HOST') ?? '127.0.0.1'
  const port = values.integer('RESTATE_WORKER_PORT', { min: 1, max: 65_535 }) ?? 9080
  const given = plainUrl(values, 'RESTATE_WORKER_URL', problems)
  if (ports.includes(port)) {
    problems.add(`RESTATE_WORKER_PORT must differ from PORT and TROUPE_ADMIN_PORT, but it is ${port} too.`)
  }
  if (EVERY_ADDRESS.has(host) && values.text('RESTATE_WORKER_URL') === null) {
    problems.add(
      `RESTATE_WORKER_URL must say how Restate reaches the workers, because RESTATE_WORKER_HOST is ${host}.`,
    )
  }
  const authority = host.includes(':') ? `[${host}]` : host
  return { host, port, advertisedUrl: given ?? `http://${authority}:${port}` }
}

function readIdentityKeys(values: Values, problems: Problems): readonly string[] {
  const keys = values.list('RESTATE_IDENTITY_KEYS') ?? []
  // The value is not repeated: the operator may have pasted the private key.
  if (!keys.every((key) => PUBLIC_KEY.test(key))) {
    problems.add(
      'RESTATE_IDENTITY_KEYS must be public keys as Restate prints them, publickeyv1_…, separated by commas.',
    )
  }
  return keys
}

/** A URL without secrets, safe for logs, `/readyz` and `npm run config`. */
function plainUrl(values: Values, name: UrlName, problems: Problems): string | null {
  const url = values.url(name, ['http', 'https'])
  if (!url) return null
  if (url.username || url.password || url.search || url.hash) {
    problems.add(`${name} must not have a user name, a password, a query or a fragment.`)
  }
  return url.href.replace(/\/+$/, '')
}
