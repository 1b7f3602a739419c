/** The nonce that style elements of this page need; null outside the server's own page, as in the dev server. */
export function pageNonce(): string | null {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  return meta?.nonce || null
}
