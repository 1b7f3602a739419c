import { newId, VoiceSessionId } from '@troupe/contract'
import { type AgentVoiceSources, AgentVoices } from '@troupe/operations/voice-configurations/agent-voices'
import type { VoiceSessionRecord } from '@troupe/voice'
import { expect, test } from 'vitest'
import { ClaimedJobs, type JobSources } from './claimed-jobs.ts'

const SESSION: Pick<
  VoiceSessionRecord,
  'id' | 'kind' | 'participantIdentity' | 'dispatchAttempt' | 'expiresAt'
> = {
  id: newId(VoiceSessionId),
  kind: 'web',
  participantIdentity: 'caller',
  dispatchAttempt: 1,
  expiresAt: new Date(0),
}

function jobs(hosts: string[], networks: readonly string[] = []): ClaimedJobs {
  const configuration = {
    ...{ sttProvider: 'local-pocketsphinx', ttsProvider: 'openai' },
    ...{ sttCredentialId: null, ttsCredentialId: 'key', settings: {} },
  }
  const agent = { agentId: 'agent', name: 'Desk' }
  const credential = {
    name: 'Key',
    kind: 'bearer',
    username: null,
    field: null,
    secret: 'key-of-openai',
    hosts,
  }
  const stored = {
    read: { voiceConfigurations: { byId: async () => configuration } },
    credentials: { find: async () => credential },
  }
  const sources = {
    turns: { list: async () => [] },
    now: () => 0,
    voices: new AgentVoices(stored as never as AgentVoiceSources),
    catalog: { agentVersion: async () => agent },
    allowedNetworks: () => networks,
  }
  return new ClaimedJobs(sources as never as JobSources)
}

test('a worker gets the key of a provider only if its hosts cover that provider', async () => {
  const claimed = async (hosts: string[]) => {
    const [session, made] = [SESSION as VoiceSessionRecord, jobs(hosts)]
    const { tts } = made.of(session, 'token', await made.read(session))
    return tts.map(({ apiKey }) => apiKey)
  }
  expect(await claimed(['api.openai.com'])).toEqual(['key-of-openai'])
  expect(await claimed(['tools.example'])).toEqual([])
})

test('a worker gets the networks that tenants’ requests may reach now', async () => {
  const networks = ['127.0.0.0/8']
  const made = jobs(['api.openai.com'], networks)
  const claim = async () => {
    const session = SESSION as VoiceSessionRecord
    return made.of(session, 'token', await made.read(session)).allowedNetworks
  }
  expect(await claim()).toEqual(['127.0.0.0/8'])
  networks.pop()
  expect(await claim()).toEqual([])
})
