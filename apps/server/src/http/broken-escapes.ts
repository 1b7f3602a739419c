import { TRIGGER_OPERATIONS } from '@troupe/contract'

const PAGES = /^\/(?!api(?:[/?#]|$))/
const TRIGGERS = new RegExp(
  `^(?:${Object.values(TRIGGER_OPERATIONS)
    .map(({ path }) => path.replaceAll(/\{\w+\}/g, '[^/?#]*'))
    .join('|')})(?:[?#]|$)`,
)

/**
 * The address of a request as it is routed. Pages and triggers are found by tokens, and a broken percent escape is one
 * more token that leads nowhere: its `%` becomes a character that no token has, so that it is told like all the others
 * instead of by the framework. Every other address stays as it is.
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
