import type { Maker } from './maker.ts'
import { type Resources, SECRETS } from './resources.ts'

/** Voices of two agents, one with every setting, and a trunk with a number. */
export async function makeVoice(
  maker: Maker,
  { project, credentials }: Resources,
  [first, second]: readonly [string, string],
): Promise<void> {
  const voice = await maker.make('createVoiceConfiguration', 'voiceConfigId', {
    ...{ slug: 'desk-voice', agentId: first, sttProvider: 'deepgram', ttsProvider: 'elevenlabs' },
    ...{ sttCredentialId: credentials.speech, ttsCredentialId: credentials.speech },
    settings: settings(credentials.speech),
  })
  await maker.ask(
    'createVoiceConfiguration',
    {},
    {
      ...{
        slug: 'local-voice',
        agentId: second,
        sttProvider: 'local-pocketsphinx',
        ttsProvider: 'local-flite',
      },
      settings: { stt: { grammar: ['yes', 'no'] } },
    },
  )
  const trunk = await maker.make('createPhoneTrunk', 'trunkId', {
    ...{ slug: 'carrier', name: 'Carrier', projectId: project, direction: 'outbound', status: 'disabled' },
    ...{ provisioning: 'never', address: 'sip.carrier.example:5060', transport: 'tls' },
    auth: { username: 'troupe', password: SECRETS.carrier },
    ...{
      fromUser: 'troupe',
      mediaEncryption: 'required',
      mediaTimeoutS: 30,
      headers: { 'X-Tenant': 'acme' },
    },
    ...{ numberFormat: 'national', defaultCountry: 'GB', allowedCountries: ['GB', 'DE'] },
    ...{ blockedPrefixes: ['+4490'], maxConcurrentCalls: 3, maxCps: 0.5, maxCallsPerDestinationPerHour: 2 },
    ...{ dailyCallCap: 40, quietHours: { from: '21:00', to: '08:00', timezone: 'Europe/London' } },
    ...{ ringingTimeoutS: 25, maxCallS: 600 },
  })
  await maker.ask(
    'createPhoneNumber',
    { trunkId: trunk },
    {
      ...{ slug: 'desk-number', e164: '+442079460100', voiceConfigId: voice },
    },
  )
}

function settings(credentialId: string) {
  const speech = { model: 'model-1', baseUrl: 'https://speech.example/v1', voice: 'ana', speed: 1.25 }
  const fallback = { credential_id: credentialId, model: 'model-2', voice: 'max' }
  return {
    language: 'de-AT',
    stt: { ...speech, fallbacks: [{ provider: 'deepgram', ...fallback }] },
    tts: { ...speech, fallbacks: [{ provider: 'elevenlabs', ...fallback }] },
    greeting: { mode: 'wait', text: 'Good morning.', interruptible: false },
    turn: { detector: 'vad', minDelayMs: 300, maxDelayMs: 2_500 },
    bargeIn: { enabled: false, minMs: 700, minWords: 2 },
    silence: { afterS: 20, text: 'Still there?', endAfterPrompts: 3 },
    filler: { enabled: true, afterMs: 900, phrases: ['One moment.'] },
    ...{ fallbackText: 'Sorry.', resumeText: 'Where were we?', budgetText: 'Enough.' },
    limits: { maxSessionS: 900, warnBeforeEnd: false },
    call: {
      ...{ voicemail: 'leave_message', voicemailText: 'Call back.', disclosureText: 'A machine speaks.' },
      greetAfterMs: 400,
    },
  }
}
