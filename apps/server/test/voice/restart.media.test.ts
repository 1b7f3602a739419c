import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'
import type { ListedVoiceSession, SessionDetail } from '@troupe/contract/builder'
import { startVoiceWorker, voiceEnvironment } from '@troupe/media-servers'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { RoomCaller } from '@troupe/media-servers/testing/room-caller'
import { speak } from '@troupe/media-servers/testing/speak'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from '../crash/program.ts'
import { sandboxBundle } from '../crash/sandbox-bundle.ts'
import { ANSWERS, answerTo, GREETING, SPOKEN_SETTINGS } from './spoken.ts'
import { INTERNAL_TOKEN } from './voice-setting.ts'

const level = await mediaLevel('speech')
const PATIENT = { timeout: 40_000, interval: 250 }

/** One server on the embedded database, as `npm start` runs it: while it restarts, nothing else answers the worker. */
describe.skipIf(level.missing !== null)('an API server that restarts during a conversation', () => {
  const resources = new AsyncDisposableStack()
  const [key, agentId, adminToken] = [
    `restart-${randomUUID()}`,
    randomUUID(),
    randomBytes(16).toString('hex'),
  ]
  let start: () => Promise<Program>
  let program: Program
  let wsUrl: string

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'troupe-restart-'))
    resources.defer(() => rm(folder, { recursive: true, force: true }))
    const bundle = join(folder, 'bundle.yaml')
    await writeFile(bundle, JSON.stringify(withVoice(sandboxBundle({ key, agentId }))))
    const internalPort = await freePort()
    const media = resources.use(
      await level.startServers({ webhookUrl: `http://127.0.0.1:${internalPort}/internal/livekit/webhook` }),
    )
    wsUrl = media.wsUrl
    const env = voiceEnvironment(media, { internalPort, internalToken: INTERNAL_TOKEN })
    start = () => startProgram(folder, { ...env, TROUPE_BUNDLE: bundle, TROUPE_ADMIN_TOKEN: adminToken })
    program = await start()
    resources.use(await startVoiceWorker(env))
  })
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]()
    await resources.disposeAsync()
  })

  const request = async (
    path: string,
    credential: Record<string, string>,
    body?: object,
  ): Promise<Response> =>
    fetch(`${program.origin}${path}`, {
      headers: { ...credential, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })

  /** A session whose caller has heard the greeting. */
  async function greeted(): Promise<{ sessionId: string; caller: RoomCaller }> {
    const participant = { participantIdentity: 'visitor' }
    let answer: unknown
    const isStarted = async () => {
      const response = await request(
        `/api/v1/voice-agents/${agentId}/sessions`,
        { 'x-api-key': key },
        participant,
      )
      answer = await response.json()
      return response.status
    }
    // Until the worker has registered, it is 503.
    await expect.poll(isStarted, PATIENT).toBe(200)
    const caller = new RoomCaller()
    await caller.join(wsUrl, String(propertyOf(answer, 'token')))
    expect(await recognise(await caller.ear.sentence(0), ANSWERS)).toBe(GREETING)
    return { sessionId: String(propertyOf(answer, 'sessionId')), caller }
  }

  async function isAnswered(caller: RoomCaller, words: string, spokenAt: number): Promise<void> {
    expect(await recognise(await caller.ear.sentence(spokenAt), ANSWERS)).toBe(answerTo(words))
  }

  test.for([
    'SIGTERM',
    'SIGKILL',
  ] as const)('answers after a %s the words spoken during its absence, once, and the conversation continues', async (signal) => {
    const { sessionId, caller } = await greeted()
    await using _caller = caller
    await isAnswered(caller, 'hello there', await caller.say(await speak('hello there')))

    await program.end(signal)
    const spokenAt = await caller.say(await speak('what time is it'))
    program = await start()
    await isAnswered(caller, 'what time is it', spokenAt)
    process.stdout.write(
      `Answered ${(await caller.ear.firstSound(spokenAt)) - spokenAt} ms after it was said\n`,
    )
    await isAnswered(caller, 'please stop now', await caller.say(await speak('please stop now')))

    expect(await turnsOf(sessionId)).toEqual(['hello there', 'what time is it', 'please stop now'])
  })

  /** The caller's words in a session, one entry for each run, oldest first. */
  async function turnsOf(voiceSessionId: string): Promise<string[]> {
    const organization = '/api/builder/v1/organizations/acme'
    const { data }: { data: ListedVoiceSession[] } = await read(`${organization}/voice-sessions`)
    const listed = data.find((one) => one.voiceSessionId === voiceSessionId)
    const { turns }: SessionDetail = await read(`${organization}/sessions/${listed?.sessionId}`)
    return turns.map(({ input }) => String(input)).reverse()
  }

  async function read<Body>(path: string): Promise<Body> {
    const response = await request(path, { authorization: `Bearer ${adminToken}` })
    expect(response.status, path).toBe(200)
    // The caller specifies the response type of the contract.
    return (await response.json()) as Body
  }
})

/** The bundle with a voice agent whose name `answerTo` knows. */
function withVoice({ organizations, ...bundle }: ReturnType<typeof sandboxBundle>) {
  return {
    ...bundle,
    organizations: organizations.map((organization) => ({
      ...organization,
      agents: organization.agents.map((agent) => ({ ...agent, name: 'Organization Agent' })),
      voiceConfigurations: [
        {
          slug: 'spoken',
          agent: 'ada',
          stt: { provider: 'local-pocketsphinx', grammar: SPOKEN_SETTINGS.stt?.grammar },
          tts: { provider: 'local-flite' },
          settings: {
            turn: SPOKEN_SETTINGS.turn,
            greeting: SPOKEN_SETTINGS.greeting,
            filler: SPOKEN_SETTINGS.filler,
          },
        },
      ],
    })),
  }
}
