import { createHash } from 'node:crypto'

/** The permissions of a page beyond its own style sheets and forms. */
export interface PagePolicy {
  /** Origins that may embed the page in a frame; none when absent. */
  embedOrigins?: readonly string[]
  /** Origins that a form submission may redirect to, besides this server. */
  formTargets?: readonly string[]
  /** Origins that scripts may connect to, besides this server; `ws:` and `wss:` too. */
  connectOrigins?: readonly string[]
  /** Allowed origins of images. */
  imageOrigins?: readonly string[]
  /**
   * `same-origin` by default. A page with a secret in its URL sends no referrer; its form must then
   * authenticate without `Origin`, because browsers send `null` under `no-referrer`.
   */
  referrer?: 'same-origin' | 'no-referrer'
  /** The content of the page's only inline style element. */
  inlineStyle?: string | null
}

/** Any other character would end a source or its directive. */
const SOURCE = /^(?:https?|wss?):\/\/[a-z0-9_.:[\]-]+$/
const sources = (origins: readonly string[]) => origins.filter((origin) => SOURCE.test(origin))

/** The origin of an address, as a list for a policy; empty for null and for an invalid address. */
export function originsOf(address: string | null): string[] {
  return address !== null && URL.canParse(address) ? [new URL(address).origin] : []
}

/**
 * The Content-Security-Policy of a page: no external resources, no inline script, inline style by hash only.
 */
export function contentSecurityPolicy(policy: PagePolicy = {}): string {
  const { formTargets = [], imageOrigins = [], inlineStyle = null } = policy
  const embedOrigins = sources(policy.embedOrigins ?? [])
  const hash = inlineStyle === null ? [] : [`'sha256-${sha256(inlineStyle)}'`]
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...hash].join(' ')}`,
    "font-src 'self'",
    `img-src ${["'self'", ...sources(imageOrigins)].join(' ')}`,
    `connect-src ${["'self'", ...sources(policy.connectOrigins ?? [])].join(' ')}`,
    `form-action ${["'self'", ...sources(formTargets)].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}`,
  ].join('; ')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
