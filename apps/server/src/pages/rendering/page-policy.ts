import { createHash } from 'node:crypto'

/** What a page needs beside its own style sheets and forms. */
export interface PagePolicy {
  /** Origins that may show the page in a frame; none when absent. */
  embedOrigins?: readonly string[]
  /** Origins to which the answer to a submitted form may redirect, beside this server. */
  formTargets?: readonly string[]
  /** Origins of images. */
  imageOrigins?: readonly string[]
  /**
   * `same-origin` unless said. A page whose address holds a secret sends none, and its form must prove itself without its
   * Origin: under `no-referrer` browsers send `null`.
   */
  referrer?: 'same-origin' | 'no-referrer'
  /** The content of the page's one inline style element. */
  inlineStyle?: string | null
}

/** The Content-Security-Policy of a page: nothing from elsewhere, no inline script, an inline style by its hash only. */
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
