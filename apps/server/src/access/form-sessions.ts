import type { Clock } from '@troupe/agents/ports'
import type { OpenForm } from '@troupe/operations/forms/published-forms'
import type { FormSecret } from './form-secret.ts'

const LIFETIME_SECONDS = 12 * 60 * 60

type SessionForm = Pick<OpenForm, 'tokenHash' | 'credentialVersion'>

/**
 * Cookies of visitors who know a form's password: signed, valid for one form and one version of its
 * credentials. Stateless, so a new password invalidates all of them immediately.
 */
export class FormSessions {
  readonly #secret: FormSecret
  readonly #clock: Clock
  readonly #isSecure: boolean

  /** @param publicUrl of this server. Over plain HTTP, browsers reject a cookie with the `__Host-` prefix. */
  constructor(secret: FormSecret, clock: Clock, publicUrl: string) {
    this.#secret = secret
    this.#clock = clock
    this.#isSecure = publicUrl.startsWith('https:')
  }

  /** A `Set-Cookie` header that starts a session. */
  open(form: SessionForm): string {
    const expires = Math.floor(this.#clock.now() / 1000) + LIFETIME_SECONDS
    const value = `${expires}.${this.#secret.sign('session', textOf(form, expires))}`
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${LIFETIME_SECONDS}`]
    return [`${this.#nameOf(form)}=${value}`, ...attributes, ...(this.#isSecure ? ['Secure'] : [])].join('; ')
  }

  /** Whether a `Cookie` header carries a valid session of this form. */
  isOpen(form: SessionForm, cookies: string | undefined): boolean {
    const prefix = `${this.#nameOf(form)}=`
    const value = (cookies ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(prefix))
      ?.slice(prefix.length)
    const [, expires, signature] = /^(\d{1,12})\.([\w-]{43})$/.exec(value ?? '') ?? []
    if (expires === undefined || signature === undefined) return false
    if (Number(expires) <= this.#clock.now() / 1000) return false
    return this.#secret.isSigned('session', textOf(form, Number(expires)), signature)
  }

  #nameOf({ tokenHash }: SessionForm): string {
    return `${this.#isSecure ? '__Host-' : ''}form_${tokenHash.slice(0, 16)}`
  }
}

function textOf({ tokenHash, credentialVersion }: SessionForm, expires: number): string {
  return `${tokenHash} ${credentialVersion} ${expires}`
}
