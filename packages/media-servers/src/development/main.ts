// `npm run dev:voice`: the media servers, a server with voice and a voice worker on this machine, until Ctrl+C.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { endProcess, endWithoutTeardown } from '@troupe/telemetry/end-process'
import { ensureBinaries } from '../binaries/ensure-binaries.ts'
import { mediaEnvironment } from '../environment/media-environment.ts'
import { answersOk, startMediaServerProcess } from '../servers/media-server-process.ts'
import { startMediaServers } from '../servers/start-media-servers.ts'
import { unusedPort } from '../servers/unused-ports.ts'
import { startVoiceWorker } from './start-voice-worker.ts'
import { voiceEnvironment } from './voice-environment.ts'

const REPOSITORY = join(import.meta.dirname, '../../../..')
const say = (line: string) => process.stdout.write(`${line}\n`)

endWithoutTeardown()
const binaries = await ensureBinaries({ report: say, inBackground: false })
if (binaries === null) {
  say('Voice needs Go 1.26 once, to build LiveKit: https://go.dev/dl. Then run this again.')
  endProcess(1)
}

await using stack = new AsyncDisposableStack()
const inherited = mediaEnvironment().inherited
const port = Number(inherited.PORT ?? 3000)
const internalPort = await unusedPort()
const media = stack.use(
  await startMediaServers({
    binaries,
    webhookUrl: `http://127.0.0.1:${internalPort}/internal/livekit/webhook`,
    withCalls: true,
  }),
)
say('LiveKit, Redis and the stand-in for the SIP bridge are up.')

const internalToken = randomBytes(24).toString('base64url')
const voice = voiceEnvironment(media, { internalPort, internalToken })
const env = {
  ...inherited,
  ...voice,
  PORT: String(port),
  // A worker's heartbeat every two seconds would drown everything else.
  LOG_LEVEL: inherited.LOG_LEVEL ?? 'warn',
}
const page = `http://localhost:${port}/voice/try`
stack.use(
  await startMediaServerProcess({
    name: 'The server',
    program: process.execPath,
    args: [join(REPOSITORY, 'apps/server/src/main.js')],
    env,
    isUp: () => answersOk(`http://127.0.0.1:${port}/healthz`),
    follow: process.stdout,
  }),
)
stack.use(await startVoiceWorker(voice))
say(`\nTalk to the voice agent of the Playground: ${page}\n(Ctrl+C ends everything.)`)

await new Promise((resolve) => {
  process.once('SIGINT', resolve)
  process.once('SIGTERM', resolve)
})
