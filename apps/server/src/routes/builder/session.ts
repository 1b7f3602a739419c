import { DomainError } from '@troupe/contract'
import { PERSON_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { renamePerson } from '@troupe/operations/account/rename-person'
import { endSignIn, listSignIns } from '@troupe/operations/account/sign-ins'
import { presentSession } from '@troupe/operations/sign-in/present-session'
import { deviceName } from '@troupe/people/device-name'
import type { SignedInPerson } from '@troupe/people/people'
import { passwordFaults } from '@troupe/server-html/people/password-faults'
import { serverVersion } from '../../boot/server-version.ts'
import { servesVoiceTry } from '../../pages/voice/serves-voice-try.ts'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes. */
export type SessionContext = Pick<Context, 'people' | 'signIns' | 'database' | 'config' | 'mailer'>

/**
 * Signing in and out within the builder's pages.
 *
 * @param build reads the id of the served build; null: there is none
 */
export function registerBuilderSession(app: App, context: SessionContext, build: () => string | null): void {
  const { people, signIns, database, config, mailer } = context
  const server = {
    version: serverVersion(),
    publicUrl: config.publicUrl,
    mail: mailer.sends,
    voice: config.voice !== null,
    voiceTry: servesVoiceTry(config.voice),
  }
  const personOf = (person: SignedInPerson | null) => {
    if (!person) throw new DomainError('unauthorized', 'Please sign in first.')
    return person
  }
  const present = (person: SignedInPerson | null) =>
    presentSession(database.read, personOf(person), { ...server, build: build() })

  registerOperation(app, PERSON_OPERATIONS.getSession, ({ request }) => present(request.person))
  registerOperation(app, PERSON_OPERATIONS.signIn, async ({ request, body }, reply) => {
    const cookies = await signIns.signIn(request, body.email.trim(), body.password)
    if (!cookies) {
      throw new DomainError('wrong_credentials', 'The e-mail address or the password is wrong.')
    }
    reply.header('set-cookie', [...cookies])
    const cookie = cookies.map((one) => one.slice(0, one.indexOf(';'))).join('; ')
    return present(await people.signedIn({ cookie }))
  })
  registerOperation(app, PERSON_OPERATIONS.signOut, async ({ request }, reply) => {
    reply.header('set-cookie', [...(await signIns.signOut(request))])
    return null
  })
  registerOperation(app, PERSON_OPERATIONS.listSignIns, ({ request }) =>
    listSignIns(database, personOf(request.person), deviceName),
  )
  registerOperation(app, PERSON_OPERATIONS.endSignIn, ({ request, params }) =>
    endSignIn(database, personOf(request.person), params.signInId),
  )
  registerOperation(app, PERSON_OPERATIONS.renamePerson, ({ request, body }) =>
    renamePerson(database, personOf(request.person), body.name),
  )
  registerOperation(app, PERSON_OPERATIONS.changePassword, async ({ request, body }, reply) => {
    const [fault] = passwordFaults('next', body.next)
    if (fault) throw refusedField('next', fault.message)
    const cookies = await signIns.changePassword(request, body)
    if (!cookies) throw refusedField('current', 'This is not your current password.')
    reply.header('set-cookie', [...cookies])
    return null
  })
}

function refusedField(path: string, message: string): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', { errors: [{ path, message }] })
}
