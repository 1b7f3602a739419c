import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { BusyError } from '@troupe/heavy-work'
import type { OpenForm } from '@troupe/operations/forms/published-forms'
import { type Guard, RateLimitedError, type Visitor } from '@troupe/rate-limits'
import type { Passwords } from '@troupe/secrets'
import { LRUCache } from 'lru-cache'

/** How long a verified password is cached for programs that send it with every request. */
const REMEMBERED_MS = 5 * 60_000
const REMEMBERED = 1_000
/** Retry-After, in seconds, of a request whose password can't be checked because of the load. */
const BUSY_SECONDS = 5

/** Credentials given by a visitor, not yet verified. */
export interface GivenCredentials {
  username: string
  password: string
}

/** Parses `Authorization: Basic`; null for every other header. */
export function basicCredentials(authorization: string | undefined): GivenCredentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { username, password: password.join(':') }
}

/**
 * Checks passwords of forms with bcrypt: few concurrently, because it is slow, and at most ten wrong ones.
 */
export class FormPasswords {
  readonly #guard: Guard
  readonly #passwords: Passwords
  readonly #key = randomBytes(32)
  /** The cache keys are HMACs with a secret of this process; a new password changes the key. */
  readonly #known = new LRUCache<string, true>({ max: REMEMBERED, ttl: REMEMBERED_MS })

  constructor(guard: Guard, passwords: Passwords) {
    this.#guard = guard
    this.#passwords = passwords
  }

  /**
   * @throws RateLimitedError after ten wrong passwords in 15 minutes, or when too many are being checked: forms know no 503
   */
  async areRight(
    form: OpenForm,
    given: GivenCredentials,
    { ip, countedAddress }: Omit<Visitor, 'token'>,
  ): Promise<boolean> {
    const { credentials, credentialVersion, tokenHash } = form
    const name = this.#digest(`${tokenHash} ${credentialVersion} ${JSON.stringify(given)}`).toString('base64')
    if (this.#known.get(name)) return true
    const isUser =
      credentials !== null &&
      timingSafeEqual(this.#digest(given.username), this.#digest(credentials.username))
    const passwordHash = isUser ? credentials.passwordHash : null
    const visitor = { ip, countedAddress, token: tokenHash }
    const isRight = await this.#guard
      .attempt('formPassword', visitor, () =>
        this.#passwords.of(form.organizationId).matches(given.password, passwordHash),
      )
      // Outside the attempt, where a RateLimitedError would count as a wrong password.
      .catch((error: unknown) => {
        throw error instanceof BusyError ? new RateLimitedError(error.message, BUSY_SECONDS) : error
      })
    if (isRight) this.#known.set(name, true)
    return isRight
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}
