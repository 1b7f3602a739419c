import type { IncomingHttpHeaders } from 'node:http'
import { DomainError, type UserId } from '@troupe/contract'
import type { OpenForm } from '@troupe/operations/forms/published-forms'
import { membershipIn, type People } from '@troupe/people/people'
import { basicCredentials, type FormPasswords } from './form-passwords.ts'
import type { FormSessions } from './form-sessions.ts'

/** A request to a form. */
export interface FormRequest {
  method: string
  headers: IncomingHttpHeaders
  ip: string
  countedAddress: string | null
}

/** The outcome of an admission check. */
export type FormAdmission =
  | { kind: 'admitted' /** The signed-in member; null on forms without sign-in. */; userId: UserId | null }
  | { kind: 'password_required' /** Whether a wrong password was sent. */; isWrong: boolean }
  | { kind: 'sign_in_required' }
  | { kind: 'not_a_member' }

/** Decides who may see and submit a form; the same rule for its definition, page, submissions and uploads. */
export class FormAccess {
  readonly #people: People
  readonly #sessions: FormSessions
  readonly #passwords: FormPasswords

  constructor(people: People, sessions: FormSessions, passwords: FormPasswords) {
    this.#people = people
    this.#sessions = sessions
    this.#passwords = passwords
  }

  /**
   * @throws RateLimitedError after too many wrong passwords; DomainError `forbidden` for a cross-site change
   */
  async admit(form: OpenForm, request: FormRequest): Promise<FormAdmission> {
    const { mode } = form.form.auth
    switch (mode) {
      case 'none':
        return { kind: 'admitted', userId: null }
      case 'basic':
        return this.#byPassword(form, request)
      case 'service-login':
        return this.#byMembership(form, request)
      default:
        return mode satisfies never
    }
  }

  async #byPassword(form: OpenForm, request: FormRequest): Promise<FormAdmission> {
    const given = basicCredentials(request.headers.authorization)
    if (given) {
      const isRight = await this.#passwords.areRight(form, given, request)
      return isRight ? { kind: 'admitted', userId: null } : { kind: 'password_required', isWrong: true }
    }
    if (!this.#sessions.isOpen(form, request.headers.cookie)) {
      return { kind: 'password_required', isWrong: false }
    }
    this.#requireSameOrigin(request)
    return { kind: 'admitted', userId: null }
  }

  async #byMembership(form: OpenForm, request: FormRequest): Promise<FormAdmission> {
    const person = await this.#people.signedIn(request.headers)
    if (!person) return { kind: 'sign_in_required' }
    if (!membershipIn(person, form.organizationId)) return { kind: 'not_a_member' }
    this.#requireSameOrigin(request)
    return { kind: 'admitted', userId: person.userId }
  }

  /** CSRF check for visitors admitted by a cookie. */
  #requireSameOrigin(request: FormRequest): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') this.#people.requireSameOrigin(request)
  }
}

/** The reason for a refusal, for API clients. */
export function refusalOf(admission: Exclude<FormAdmission, { kind: 'admitted' }>): DomainError {
  switch (admission.kind) {
    case 'password_required':
      return new DomainError(
        'unauthorized',
        admission.isWrong ? 'The user name or the password is wrong.' : 'This form requires a password.',
      )
    case 'sign_in_required':
      return new DomainError('unauthorized', 'This form is for members: sign in first.')
    case 'not_a_member':
      return new DomainError('forbidden', 'You are not a member of this organization.')
    default:
      return admission satisfies never
  }
}
