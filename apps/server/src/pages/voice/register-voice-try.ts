import { join } from 'node:path'
import { AgentId, DomainError, parseId, propertyOf } from '@troupe/contract'
import type { App } from '@troupe/http/server-types'
import { startVoiceSession } from '@troupe/operations/voice-sessions/start-voice-session'
import type { People, SignedInPerson } from '@troupe/people/people'
import { VOICE_TRY_SESSION_PATH, voiceTryPage } from '@troupe/server-html/voice/try-page'
import { readWebBuild } from '@troupe/server-html/web/web-build'
import type { Readers } from '@troupe/storage'
import type { Voice } from '../../wiring/create-voice.ts'
import { registerPages } from '../rendering/register-pages.ts'
import { sendPage } from '../rendering/send-page.ts'
import { servesVoiceTry } from './serves-voice-try.ts'

const PATH = '/voice/try'
const WEB_BUILD = join(import.meta.dirname, '../../../../web/dist')
const SHOWN_AGENTS = 100

/** Dependencies of the page. */
export interface VoiceTryContext {
  voice: Voice
  people: People
  database: { read: Pick<Readers, 'agents' | 'voiceConfigurations' | 'apiKeys' | 'organizations'> }
}

/** A page for developers: they talk to a voice agent of their organization, in sessions of its first API key. */
export function registerVoiceTry(app: App, { voice, people, database }: VoiceTryContext): void {
  const config = voice.connected?.config
  if (config === undefined || !servesVoiceTry(config)) return
  const { publicWsUrl } = config

  registerPages(app, (scope) => {
    scope.get(PATH, async (request, reply) => {
      const person = await people.signedIn(request.headers)
      if (!person) return reply.redirect(people.signInPath(request.url), 303)
      const agents = await agentsOf(database.read, person)
      const agent = propertyOf(request.query, 'agent')
      const chosen = typeof agent === 'string' ? agent : null
      return sendPage(reply, voiceTryPage({ agents, chosen, script: scriptPath(), wsUrl: publicWsUrl }))
    })
  })

  app.post(VOICE_TRY_SESSION_PATH, { config: { access: 'person' } }, async (request) => {
    people.requireSameOrigin(request)
    const person = await people.signedIn(request.headers)
    if (!person) throw new DomainError('unauthorized', 'Sign in first.')
    const agentId = parseId(AgentId, String(propertyOf(request.body, 'agentId')))
    const agents = await agentsOf(database.read, person)
    const chosen = agents.find((agent) => agent.agentId === agentId)
    if (chosen === undefined) throw new DomainError('forbidden', 'This agent is not available to you.')
    const { organizationId } = chosen
    const key = (await database.read.apiKeys.list(organizationId)).find(({ revokedAt }) => revokedAt === null)
    if (key === undefined) throw new DomainError('forbidden', 'The organization needs an API key first.')
    const identity = `try-${person.userId}`
    const parts = { read: database.read, voice: voice.parts, publicWsUrl }
    const principal = { organizationId, projectId: null, keyId: key.id }
    const started = await startVoiceSession(parts, principal, chosen.agentId, {
      participantIdentity: identity,
    })
    return { ...started, identity }
  })
}

/** Voice agents of every organization of the user, newest first in each. */
async function agentsOf(read: VoiceTryContext['database']['read'], person: SignedInPerson) {
  const found = await Promise.all(
    person.memberships.map(async ({ organizationId }) => {
      const organization = await read.organizations.byId(organizationId)
      const filter = { projectId: null, page: 1, limit: SHOWN_AGENTS }
      const { rows } = await read.voiceConfigurations.agents({ organizationId, projectId: null }, filter)
      const name = organization?.name ?? ''
      return rows.map((row) => ({ agentId: row.agentId, name: row.name, organization: name, organizationId }))
    }),
  )
  return found.flat()
}

/** The page's script in the build of the builder's pages; null without a build. */
function scriptPath(): string | null {
  const build = readWebBuild(WEB_BUILD)
  if ('failure' in build) return null
  const file = [...build.files.keys()].find((name) => /^voice-try-.*\.js$/.test(name))
  return file === undefined ? null : `/web/${file}`
}
