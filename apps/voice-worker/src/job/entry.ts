import { defineAgent, type JobContext, type JobProcess, type VAD } from '@livekit/agents'
import { VoiceServer } from '@troupe/contract/voice-worker'
import { guardProcess, type ProcessGuard } from '@troupe/safe-fetch/guard-process'
import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { readEnvironment } from '../config/env.ts'
import { keepContentsOutOfLogs } from '../config/log-contents.ts'
import { readWorkerConfig } from '../config/worker-config.ts'
import { UtteranceVad } from '../speech/utterance-vad.ts'
import { useLeakFreeRaces } from './leak-free-races.ts'
import { serveJob } from './serve-job.ts'

/** Prepared by a child before its job arrives. */
interface Prepared {
  vad: VAD
  /** Speech providers are at addresses chosen by tenants, and their plugins accept no connector. */
  guard: ProcessGuard
  [name: string]: unknown
}

/** Ignores SIGHUP: the worker stops its jobs, but a closing terminal signals them too. LiveKit's SDK ignores the other signals. */
function ignoreHangUps(): void {
  process.on('SIGHUP', () => {})
}

/** The program of a job's child process; LiveKit's SDK imports it by path and takes its default export. */
export default defineAgent<Prepared>({
  prewarm(process: JobProcess<Prepared>) {
    // LiveKit's SDK ends the process itself.
    endWithoutTeardown()
    ignoreHangUps()
    keepContentsOutOfLogs()
    useLeakFreeRaces()
    const { livekit, server } = readWorkerConfig(readEnvironment())
    process.userData.guard = guardProcess({ services: [livekit.wsUrl, server.url], allowedNetworks: [] })
    process.userData.vad = new UtteranceVad()
  },
  entry(context: JobContext<Prepared>) {
    const server = new VoiceServer(readWorkerConfig(readEnvironment()).server)
    const { vad, guard } = context.proc.userData
    return serveJob(context, server, { vad, guard })
  },
})
