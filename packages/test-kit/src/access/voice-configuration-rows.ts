import type { BuilderOperationId } from '@troupe/contract/builder'
import { type SeededCalls, seedCalls } from '../server/seed-calls.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRow } from './builder-row.ts'

type VoiceConfigurationOperation = Extract<BuilderOperationId, `${string}VoiceConfiguration${'' | 's'}`>

/** An operation on a voice configuration of this organization or another one. */
function of(path: (seeded: SeededCalls) => string, body?: object): BuilderRow {
  const request = async ({ seed, context }: TestServer, place: 'organization' | 'otherOrganization') => {
    const organizationId = place === 'organization' ? seed.organizationId : seed.otherOrganizationId
    const owner = { organizationId, projectId: null, agentId: seed.agents[place], minutes: null }
    return { path: path(await seedCalls(context.database, owner)), ...(body ? { body } : {}) }
  }
  return {
    own: (server) => request(server, 'organization'),
    foreign: {
      error: 'voice_configuration_not_found',
      request: (server) => request(server, 'otherOrganization'),
    },
  }
}

const ofConfiguration = (body?: object) =>
  of(({ voiceConfigId }) => `/voice-configurations/${voiceConfigId}`, body)

/** Operations on how agents hear and speak. */
export const VOICE_CONFIGURATION_ROWS: Readonly<Record<VoiceConfigurationOperation, BuilderRow>> = {
  listVoiceConfigurations: { own: () => ({ path: '/voice-configurations' }) },
  getVoiceConfiguration: ofConfiguration(),
  createVoiceConfiguration: { own: () => ({ path: '/voice-configurations', body: {} }) },
  testVoiceConfiguration: { own: () => ({ path: '/voice-configurations/test', body: {} }) },
  updateVoiceConfiguration: ofConfiguration({ settings: { language: 'de' }, version: 1 }),
  deleteVoiceConfiguration: ofConfiguration(),
}
