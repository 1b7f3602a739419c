import { setTimeout as pause } from 'node:timers/promises'
import type { VoiceSettings } from '@troupe/contract'
import { speak } from '@troupe/media-servers/testing/speak'
import { afterEach, expect, test } from 'vitest'
import { type HeadlessSession, LOCAL_STT, openHeadlessSession } from '../testing/headless-session.ts'

const MACHINE = 'i can not come to the phone leave your message after the tone'
const PERSON = 'hello who is this'
const FULL = 'the mailbox is full good bye'

const open: HeadlessSession[] = []
afterEach(async () => {
  for (const session of open.splice(0)) await session[Symbol.asyncDispose]()
})

/** An answered call with these settings. */
async function call(
  settings: NonNullable<VoiceSettings['call']>,
  mode: 'speak' | 'wait' = 'speak',
): Promise<HeadlessSession> {
  const session = await openHeadlessSession({
    claimed: {
      kind: 'outbound_call',
      answered: true,
      leaseUntil: Date.now() + 300_000,
      stt: [{ ...LOCAL_STT, grammar: [MACHINE, PERSON, FULL, 'good morning', 'what time is it'] }],
    },
    settings: { call: settings, greeting: { mode, text: 'Welcome.' } },
  })
  open.push(session)
  return session
}

/** Says it half a second after the answer, as machines and people do. */
async function announce(session: HeadlessSession, words: string): Promise<number> {
  await pause(500)
  return session.media.say((await speak(words)).samples)
}

test('a message is left after a voicemail announcement, after the identity', async () => {
  const session = await call({
    voicemail: 'leave_message',
    voicemailText: 'Your order has arrived.',
    disclosureText: 'This is a machine.',
  })
  const announcedAt = await announce(session, MACHINE)
  expect(await session.exited).toBe('agent_ended')
  expect(await session.media.ear.firstSound(0)).toBeGreaterThan(announcedAt)
  expect(session.said()).toEqual([
    `user: ${MACHINE}`,
    'assistant: This is a machine.',
    'assistant: Your order has arrived.',
  ])
  expect(session.server.turns).toEqual([])
})

test.for([
  ['hang_up', MACHINE],
  ['leave_message', FULL],
] as const)('with %s, nothing is spoken after: %s', async ([voicemail, words]) => {
  const session = await call({ voicemail, voicemailText: 'Your order has arrived.' })
  await announce(session, words)
  expect(await session.exited).toBe('agent_ended')
  expect(session.media.ear.lastSound()).toBe(0)
  expect(session.server.turns).toEqual([])
  expect(session.server.ends).toMatchObject([{ reason: 'agent_ended' }])
})

test('a person is greeted after the first words, and answered from then on', async () => {
  const session = await call({ voicemail: 'hang_up', disclosureText: 'This is a machine.' })
  await announce(session, PERSON)
  await expect
    .poll(session.said)
    .toEqual([`user: ${PERSON}`, 'assistant: This is a machine.', 'assistant: Welcome.'])
  await announce(session, 'what time is it')
  await expect.poll(session.said).toContain('assistant: You said what time is it.')
  expect(session.server.turns.map(({ text }) => text)).toEqual(['what time is it'])
})

test('an agent that waits to be spoken to answers a person’s first words', async () => {
  const session = await call({ voicemail: 'hang_up', disclosureText: 'This is a machine.' }, 'wait')
  await announce(session, PERSON)
  await expect
    .poll(session.said)
    .toEqual([`user: ${PERSON}`, 'assistant: This is a machine.', `assistant: You said ${PERSON}.`])
})

test('a silent callee is greeted', async () => {
  const session = await call({ voicemail: 'hang_up' })
  await expect.poll(session.said).toEqual(['assistant: Welcome.'])
})
