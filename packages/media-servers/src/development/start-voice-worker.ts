import { join } from 'node:path'
import { mediaEnvironment } from '../environment/media-environment.ts'
import {
  answersOk,
  type MediaServerProcess,
  startMediaServerProcess,
} from '../servers/media-server-process.ts'
import { unusedPort } from '../servers/unused-ports.ts'

const PROGRAM = join(import.meta.dirname, '../../../../apps/voice-worker/src/main.ts')

/** Starts a voice worker as a separate process and waits until it is registered with the media server. */
export async function startVoiceWorker(env: Readonly<Record<string, string>>): Promise<MediaServerProcess> {
  const port = await unusedPort()
  const { inherited, workerProgram } = mediaEnvironment()
  return startMediaServerProcess({
    name: 'The voice worker',
    program: workerProgram ?? process.execPath,
    args: workerProgram === null ? [PROGRAM] : [],
    // Without NODE_ENV, as an operator starts it: a test runner sets its own.
    env: {
      ...inherited,
      NODE_ENV: undefined,
      ...env,
      VOICE_WORKER_PORT: String(port),
    },
    isUp: () => answersOk(`http://127.0.0.1:${port}/`),
  })
}
