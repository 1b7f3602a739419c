/** The builder. */
export const HOME_PATH = '/'
export const ACCOUNT_PATH = '/account'
export const SIGN_IN_PATH = '/sign-in'
export const RESET_PATH = '/reset-password'

const LONGEST = 2_048
/** A placeholder base for resolving paths; never part of the result. */
const BASE = 'http://here.invalid'

/**
 * The redirect target of a sign-in: a path of this server as the browser would resolve it, query included.
 * Anything that could leave this server (`//host`, `/\host`, `https:…`, control characters) becomes the
 * start page.
 */
export function nextPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > LONGEST || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) {
    return HOME_PATH
  }
  if (!URL.canParse(given, BASE)) return HOME_PATH
  const { origin, pathname, search } = new URL(given, BASE)
  const path = pathname + search
  // `/x/..//host` looks harmless but resolves to `//host`.
  return origin === BASE && !path.startsWith('//') ? path : HOME_PATH
}

/** The sign-in page with a redirect to a path. */
export function signInPath(next: string): string {
  const path = nextPath(next)
  return path === HOME_PATH ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(path)}`
}
