export const ACCOUNT_PATH = '/account'
export const SIGN_IN_PATH = '/sign-in'

const LONGEST = 2_048
/** Only there to resolve paths; it leaves no trace in them. */
const BASE = 'http://here.invalid'

/**
 * Where a sign-in leads to: a path of this server as the browser would resolve it, query included. Everything that could
 * lead elsewhere (`//host`, `/\host`, `https:…`, control characters) becomes the account page.
 */
export function nextPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > LONGEST || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) {
    return ACCOUNT_PATH
  }
  if (!URL.canParse(given, BASE)) return ACCOUNT_PATH
  const { origin, pathname, search } = new URL(given, BASE)
  const path = pathname + search
  // `/x/..//host` begins harmlessly and resolves to `//host`.
  return origin === BASE && !path.startsWith('//') ? path : ACCOUNT_PATH
}

/** The sign-in page that leads on to a path. */
export function signInPath(next: string): string {
  const path = nextPath(next)
  return path === ACCOUNT_PATH ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(path)}`
}
