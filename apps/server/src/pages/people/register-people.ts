import { DomainError, type JsonObject, oneLine } from '@troupe/contract'
import { LONGEST_PERSON_NAME } from '@troupe/contract/builder'
import { pathParameter } from '@troupe/http/operation-call'
import type { App } from '@troupe/http/server-types'
import { renamePerson } from '@troupe/operations/account/rename-person'
import { endSignIn } from '@troupe/operations/account/sign-ins'
import { acceptInvitation } from '@troupe/operations/members/accept-invitation'
import { findInvitation } from '@troupe/operations/members/find-invitation'
import { deviceName } from '@troupe/people/device-name'
import type { SignedInPerson } from '@troupe/people/people'
import type { SetCookies } from '@troupe/people/sign-ins'
import { visitorOf } from '@troupe/rate-limits'
import {
  ACCOUNT_PATH,
  HOME_PATH,
  nextPath,
  SIGN_IN_PATH,
  signInPath,
} from '@troupe/server-html/paths/next-path'
import { accountPage } from '@troupe/server-html/people/account-page'
import type { Fault } from '@troupe/server-html/people/form-parts'
import { invitationPage } from '@troupe/server-html/people/invitation-page'
import { passwordFaults } from '@troupe/server-html/people/password-faults'
import { signInPage, WRONG_CREDENTIALS } from '@troupe/server-html/people/sign-in-page'
import { fieldText } from '@troupe/server-html/rendering/form-body'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'
import { sendPage } from '../rendering/send-page.ts'
import { type FirstSignInContext, registerFirstSignIn } from './first-sign-in-pages.ts'
import { FORM_BYTES, formOf } from './form-request.ts'
import { registerPasswordResets } from './password-reset-pages.ts'
import { registerPersonPages } from './person-scope.ts'

/** Dependencies of the account pages. */
export type PeoplePagesContext = Pick<
  Context,
  'people' | 'signIns' | 'passwords' | 'passwordResets' | 'guard' | 'database' | 'newId' | 'clock'
> &
  FirstSignInContext

/** Pages to sign in and out, accept an invitation, and manage one's account. */
export function registerPeople(app: App, context: PeoplePagesContext): void {
  registerPersonPages(app, (scope) => {
    registerSigningIn(scope, context)
    registerInvitations(scope, context)
    registerPasswordResets(scope, context)
    registerFirstSignIn(scope, context)
    registerAccount(scope, context)
  })
}

function registerSigningIn(scope: App, { people, signIns }: PeoplePagesContext): void {
  scope.get<{ Querystring: JsonObject }>(SIGN_IN_PATH, async (request, reply) => {
    const { query } = request
    const next = nextPath(query.next)
    if (await people.signedIn(request.headers)) return reply.redirect(next, 303)
    const notice =
      query.signed === 'out' ? 'signed-out' : query.password === 'reset' ? 'password-reset' : undefined
    return sendPage(reply, signInPage({ next, ...(notice ? { notice } : {}) }))
  })
  scope.post(SIGN_IN_PATH, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    const body = formOf(request)
    const [email, password, next] = [
      fieldText(body, 'email').trim(),
      fieldText(body, 'password'),
      fieldText(body, 'next'),
    ]
    const cookies = await signIns.signIn(request, email, password)
    if (cookies) return withCookies(reply, cookies).redirect(nextPath(next), 303)
    return sendPage(reply, signInPage({ next: nextPath(next), email, faults: [WRONG_CREDENTIALS] }), 401)
  })
  scope.post('/sign-out', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    // Edits, answers and preferences that the builder stored in this browser. Browsers honour it over https and on localhost only.
    reply.header('clear-site-data', '"storage"')
    return withCookies(reply, await signIns.signOut(request)).redirect(`${SIGN_IN_PATH}?signed=out`, 303)
  })
}

function registerInvitations(scope: App, context: PeoplePagesContext): void {
  const { people, signIns, passwords, guard, database, newId, clock } = context
  const parts = { database, newId, now: () => clock.now() }
  const viewOf = async (request: FastifyRequest) => {
    const token = pathParameter(request, 'token')
    await guard.admit('accountLink', visitorOf(request, token))
    const invitation = await findInvitation({ read: database.read, now: parts.now }, token)
    const path = `/invitations/${token}`
    return {
      token,
      view: {
        path,
        invitation,
        person: await people.signedIn(request.headers),
        signInPath: signInPath(path),
      },
    }
  }

  scope.get('/invitations/:token', async (request, reply) =>
    sendPage(reply, invitationPage((await viewOf(request)).view)),
  )
  scope.post('/invitations/:token', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    const { token, view } = await viewOf(request)
    const { person, invitation } = view
    const from = { ip: request.ip, requestId: request.id }
    if (person) {
      await acceptInvitation(parts, token, { kind: 'person', ...person }, from)
      return reply.redirect(HOME_PATH, 303)
    }
    if (invitation.hasAccount) return reply.redirect(view.signInPath, 303)
    const body = formOf(request)
    const [name, password] = [oneLine(fieldText(body, 'name')), fieldText(body, 'password')]
    const faults = [...nameFaults(name), ...passwordFaults('password', password)]
    if (faults.length > 0) return sendPage(reply, invitationPage({ ...view, name, faults }), 400)
    const passwordHash = await passwords.hash(password)
    const { email } = await acceptInvitation(parts, token, { kind: 'new', name, passwordHash }, from)
    const cookies = await signIns.signIn(request, email, password)
    return withCookies(reply, cookies ?? []).redirect(HOME_PATH, 303)
  })
}

function registerAccount(scope: App, { signIns, database }: PeoplePagesContext): void {
  const config = { access: 'person' } as const
  const organizationsOf = async ({ memberships }: SignedInPerson) => {
    const rows = await Promise.all(
      memberships.map(async ({ organizationId, role }) => {
        const organization = await database.read.organizations.byId(organizationId)
        return organization ? [{ name: organization.name, slug: organization.slug, role }] : []
      }),
    )
    return rows.flat().toSorted((a, b) => a.name.localeCompare(b.name))
  }

  const viewOf = async (request: FastifyRequest) => {
    const person = personOf(request)
    const [organizations, signIns] = await Promise.all([
      organizationsOf(person),
      database.read.builder.organizations.signIns(person.userId),
    ])
    const rows = signIns.map(({ id, userAgent, ...row }) => ({
      ...row,
      signInId: id,
      browser: deviceName(userAgent),
      isCurrent: id === person.sessionId,
    }))
    return { person, organizations, signIns: rows }
  }

  scope.get<{ Querystring: JsonObject }>(ACCOUNT_PATH, { config }, async (request, reply) => {
    const { query } = request
    const done =
      query.name === 'changed'
        ? 'name'
        : query.password === 'changed'
          ? 'password'
          : query['sign-in'] === 'ended'
            ? 'signIn'
            : undefined
    return sendPage(reply, accountPage({ ...(await viewOf(request)), ...(done ? { done } : {}) }))
  })
  scope.post(
    `${ACCOUNT_PATH}/sign-ins/:signInId`,
    { config, bodyLimit: FORM_BYTES },
    async (request, reply) => {
      // The session ended in the meantime, which is the requested result.
      await endSignIn(database, personOf(request), pathParameter(request, 'signInId')).catch(ignoreGone)
      return reply.redirect(`${ACCOUNT_PATH}?sign-in=ended`, 303)
    },
  )
  scope.post(`${ACCOUNT_PATH}/name`, { config, bodyLimit: FORM_BYTES }, async (request, reply) => {
    const person = personOf(request)
    const sentName = oneLine(fieldText(formOf(request), 'name'))
    const faults = nameFaults(sentName)
    if (faults.length > 0) {
      return sendPage(reply, accountPage({ ...(await viewOf(request)), faults, sentName }), 400)
    }
    await renamePerson(database, person, sentName)
    return reply.redirect(`${ACCOUNT_PATH}?name=changed`, 303)
  })
  scope.post(ACCOUNT_PATH, { config, bodyLimit: FORM_BYTES }, async (request, reply) => {
    const body = formOf(request)
    const [current, next] = [fieldText(body, 'current'), fieldText(body, 'next')]
    const faults = passwordFaults('next', next)
    const cookies = faults.length === 0 ? await signIns.changePassword(request, { current, next }) : null
    if (cookies) return withCookies(reply, cookies).redirect(`${ACCOUNT_PATH}?password=changed`, 303)
    if (faults.length === 0) faults.push({ field: 'current', message: 'This is not your current password.' })
    return sendPage(reply, accountPage({ ...(await viewOf(request)), faults }), 400)
  })
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'sign_in_not_found') throw error
}

function nameFaults(name: string): Fault[] {
  if (name !== '' && name.length <= LONGEST_PERSON_NAME) return []
  return [{ field: 'name', message: `Your name must have 1 to ${LONGEST_PERSON_NAME} characters.` }]
}

function personOf({ person }: FastifyRequest): SignedInPerson {
  if (!person) throw new DomainError('unauthorized', 'Please sign in first.')
  return person
}

function withCookies(reply: FastifyReply, cookies: SetCookies): FastifyReply {
  return reply.header('set-cookie', [...cookies])
}
