import Bowser from 'bowser'

/** Longer values are not read: no browser sends them. */
const LONGEST_AGENT = 500

/** "Chrome on macOS" from a `User-Agent`; unknown parts are omitted, and null when all are unknown. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '' || userAgent.length > LONGEST_AGENT) return null
  const { browser, os } = Bowser.parse(userAgent)
  if (browser.name && os.name) return `${browser.name} on ${os.name}`
  return browser.name || os.name || null
}
