import { EmailAddress, oneLine, PersonName, validator } from '@troupe/contract'
import { pathParameter } from '@troupe/http/operation-call'
import type { App } from '@troupe/http/server-types'
import { setUp } from '@troupe/operations/first-sign-in/set-up'
import { isStartLink, ownerOfPlayground, useStartLink } from '@troupe/operations/first-sign-in/start-link'
import { visitorOf } from '@troupe/rate-limits'
import { HOME_PATH } from '@troupe/server-html/paths/next-path'
import type { Fault } from '@troupe/server-html/people/form-parts'
import { passwordFaults } from '@troupe/server-html/people/password-faults'
import { setupPage, startPage } from '@troupe/server-html/people/start-page'
import { fieldText } from '@troupe/server-html/rendering/form-body'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'
import { pastFirstSignIn } from '../rendering/error-page.ts'
import { sendPage } from '../rendering/send-page.ts'
import { FORM_BYTES, formOf } from './form-request.ts'

const SETUP_PATH = '/setup'

const STALE_LINK = pastFirstSignIn(
  'This link cannot be used',
  'A start link works once, for 15 minutes, until somebody signs in. Start the server again to get a new one, or sign in with the account that it printed.',
)
const ALREADY_SET_UP = pastFirstSignIn(
  'This server is set up',
  'The first organization exists. Its owner or an admin can invite you.',
)

/** Dependencies of the pages. */
export type FirstSignInContext = Pick<
  Context,
  'people' | 'signIns' | 'passwords' | 'guard' | 'database' | 'newId' | 'setupTokens' | 'config'
>

/** Pages for the first person of a deployment; all are 404 once anybody has signed in. */
export function registerFirstSignIn(scope: App, context: FirstSignInContext): void {
  const { people, signIns, guard, database, setupTokens } = context
  const tokenOf = async (request: FastifyRequest) => {
    const token = pathParameter(request, 'token')
    await guard.admit('accountLink', visitorOf(request, token))
    return token
  }
  scope.get('/start/:token', async (request, reply) => {
    const token = await tokenOf(request)
    if (!(await isStartLink(database, token))) return sendPage(reply, STALE_LINK, 404)
    return sendPage(reply, startPage(`/start/${token}`))
  })
  scope.post('/start/:token', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    const owner = await useStartLink(database, await tokenOf(request))
    if (owner === null) return sendPage(reply, STALE_LINK, 404)
    return reply.header('set-cookie', [...(await signIns.start(request, owner))]).redirect(HOME_PATH, 303)
  })

  const isUntouched = async (request: FastifyRequest) => {
    await guard.admit('accountLink', visitorOf(request, SETUP_PATH))
    const isNew = await database.firstSignIn.hasNobodySignedIn()
    return isNew && (await ownerOfPlayground(database)) === null
  }
  scope.get(SETUP_PATH, async (request, reply) => {
    if (!(await isUntouched(request))) return sendPage(reply, ALREADY_SET_UP, 404)
    return sendPage(reply, setupPage({}))
  })
  scope.post(SETUP_PATH, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    people.requireSameOrigin(request)
    if (!(await isUntouched(request))) return sendPage(reply, ALREADY_SET_UP, 404)
    const body = formOf(request)
    const text = (name: string) => oneLine(fieldText(body, name))
    const password = fieldText(body, 'password')
    const given = { organization: text('organization'), name: text('name'), email: text('email') }
    const faults = setupFaults({ ...given, password })
    const bearer = `Bearer ${fieldText(body, 'token').trim()}`
    if (!setupTokens.some((token) => token.matches(bearer))) {
      faults.unshift({
        field: 'token',
        message: 'This is neither the setup token nor the admin token of this server.',
      })
    }
    if (faults.length > 0) return sendPage(reply, setupPage({ ...given, faults }), 400)
    const { limitCeilings } = context.config
    const from = { ip: request.ip, requestId: request.id }
    await setUp({ ...context, limitCeilings }, from, { ...given, password })
    const cookies = await signIns.signIn(request, given.email, password)
    return reply.header('set-cookie', [...(cookies ?? [])]).redirect(HOME_PATH, 303)
  })
}

const isEmail = validator(EmailAddress)
const isName = validator(PersonName)

function setupFaults(given: {
  organization: string
  name: string
  email: string
  password: string
}): Fault[] {
  const faults: Fault[] = []
  const names = { organization: 'The name of the organization', name: 'Your name' } as const
  for (const field of ['organization', 'name'] as const) {
    if (!isName(given[field]).ok)
      faults.push({ field, message: `${names[field]} must have 1 to 128 characters.` })
  }
  if (!isEmail(given.email).ok) faults.push({ field: 'email', message: 'This is not an e-mail address.' })
  return [...faults, ...passwordFaults('password', given.password)]
}
