/** Whether a text is the origin of web pages: no path, and no character that a security policy reads as its own. */
export function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9_.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** Whether an address that fits {@link HTTPS_URL} has a port and a host that exist. */
export function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && isWebOrigin(new URL(text).origin)
}

/** Pattern of addresses that visitors are redirected to; {@link isHttpsUrl} checks the host. */
export const HTTPS_URL = {
  pattern: '^https://[^\\s/$.?#][^\\s]*$',
  patternMessage: 'must be an https address',
  maxLength: 2_048,
} as const
