import { TRIGGER_OPERATIONS } from '@troupe/contract'

const PAGES = /^\/(?!api(?:[/?#]|$))/
const TRIGGERS = new RegExp(
  `^(?:${Object.values(TRIGGER_OPERATIONS)
    .map(({ path }) => path.replaceAll(/\{\w+\}/g, '[^/?#]*'))
    .join('|')})(?:[?#]|$)`,
)

/**
 * The URL used for routing. In the paths of pages and triggers, the `%` of a broken percent escape becomes a
 * character that no token has, so that the route reports an unknown token instead of a framework error; other
 * URLs are unchanged.
 */
export function withoutBrokenEscapes(url: string): string {
  if (!url.includes('%')) return url
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  if (isDecodable(path) || !(PAGES.test(url) || TRIGGERS.test(url))) return url
  return path.replaceAll('%', '!') + url.slice(path.length)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
