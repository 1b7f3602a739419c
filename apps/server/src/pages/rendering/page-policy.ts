import { createHash } from 'node:crypto'

/** What a page requires beyond its own style sheets and forms. */
export interface PagePolicy {
  /** Origins that may embed the page in a frame; none when absent. */
  embedOrigins?: readonly string[]
  /** Origins that a form submission may redirect to, besides this server. */
  formTargets?: readonly string[]
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

/**
 * The Content-Security-Policy of a page: no external resources, no inline script, inline style by hash only.
 */
export function contentSecurityPolicy(policy: PagePolicy = {}): string {
  const { embedOrigins = [], formTargets = [], imageOrigins = [], inlineStyle = null } = policy
  const hash = inlineStyle === null ? [] : [`'sha256-${sha256(inlineStyle)}'`]
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${["'self'", ...hash].join(' ')}`,
    `img-src ${["'self'", ...imageOrigins].join(' ')}`,
    "connect-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}`,
  ].join('; ')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
