import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AgentServer, initializeLogger, type JobRequest, log, ServerOptions } from '@livekit/agents'
import {
  agentIdentityOf,
  DISPATCH_AGENT_NAME,
  readDispatchMetadata,
  VoiceServer,
} from '@troupe/contract/voice-worker'
import { endProcess } from '@troupe/telemetry/end-process'
import { listenForStops, type Start } from '@troupe/telemetry/stop-signals'
import { keepContentsOutOfLogs } from '../config/log-contents.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import { Heartbeats, jobsOf } from './heartbeats.ts'
import { JobChildren } from './job-children.ts'

const VERSION = '0.1.0'
const START_MS = 20_000
const JOB_MEMORY_MB = 800
/** Time limit for a child to hand its session over; then it is killed with the worker. */
const HAND_OVER_MS = 5_000

/**
 * Runs a voice worker until SIGTERM, SIGINT or SIGHUP. `AgentServer` is constructed directly: LiveKit's command line has a
 * development mode that selects hosted models.
 */
export async function runWorker(config: WorkerConfig, start: Start): Promise<void> {
  keepContentsOutOfLogs()
  initializeLogger({ pretty: false, level: config.logLevel })
  const server = new VoiceServer(config.server)
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`
  let draining = false
  const assigned = () =>
    agents.activeJobs.flatMap(({ job }) => {
      const metadata = readDispatchMetadata(job.metadata)
      return metadata ? [{ sid: metadata.sid, attempt: metadata.n }] : []
    })
  const agents: AgentServer = new AgentServer(
    serverOptions(
      config,
      () => agents.activeJobs.length,
      async (request) => {
        const metadata = readDispatchMetadata(request.job.metadata)
        const isFull = draining || agents.activeJobs.length >= config.maxJobs
        if (isFull || !metadata || !(await server.mayAccept(metadata.sid, workerId))) return request.reject()
        // The identity is derived from the session: a second agent replaces a zombie instead of talking over it.
        await request.accept('', agentIdentityOf(metadata.sid))
        heartbeats.now()
      },
    ),
  )
  using children = new JobChildren((job) => heartbeats.lost(job))
  await using heartbeats = new Heartbeats({
    server,
    beat: () => ({
      workerId,
      version: VERSION,
      capacity: config.maxJobs,
      draining,
      jobs: jobsOf(children.jobs, draining ? [] : assigned()),
    }),
    onEnd: (sessionId) => children.order(sessionId, 'end'),
    onError: (error) => log().warn({ error }, 'the server did not answer a heartbeat'),
  })
  const stop = async () => {
    // A second signal ends the worker immediately; the server hands its sessions to others.
    if (draining) endProcess(1)
    draining = true
    heartbeats.now()
    await drain(agents, children, config.drainTimeoutS)
    await agents.close()
  }
  listenForStops(process, stop, start)
  await agents.run()
  endProcess(0)
}

/** Waits for jobs to finish; the remaining ones are handed over to another worker. */
async function drain(agents: AgentServer, children: JobChildren, timeoutS: number): Promise<void> {
  const finished = timeoutS > 0 && (await finishes(agents, timeoutS * 1_000))
  if (finished) return
  for (const { sid } of children.jobs) children.order(sid, 'hand_over')
  const giveUpAt = Date.now() + HAND_OVER_MS
  while (children.jobs.length > 0 && Date.now() < giveUpAt) await pause(50)
}

/** Whether all jobs ended in time. */
async function finishes(agents: AgentServer, timeoutMs: number): Promise<boolean> {
  try {
    await agents.drain(timeoutMs)
    return true
  } catch {
    return false
  }
}

function serverOptions(
  { livekit, ...config }: WorkerConfig,
  jobs: () => number,
  requestFunc: (request: JobRequest) => Promise<void>,
): ServerOptions {
  return new ServerOptions({
    agent: fileURLToPath(new URL('../job/entry.ts', import.meta.url)),
    agentName: DISPATCH_AGENT_NAME,
    wsURL: livekit.wsUrl,
    apiKey: livekit.apiKey,
    apiSecret: livekit.apiSecret,
    production: true,
    numIdleProcesses: config.idleProcesses,
    // The default measures the processor, and silently refuses jobs above 70 %.
    loadFunc: async () => jobs() / config.maxJobs,
    loadThreshold: 1,
    // The default gives up after ten attempts.
    maxRetry: 1e9,
    jobMemoryLimitMB: JOB_MEMORY_MB,
    host: '127.0.0.1',
    port: config.healthPort,
    initializeProcessTimeout: START_MS,
    shutdownProcessTimeout: START_MS,
    sessionEndTimeout: START_MS,
    drainTimeout: config.drainTimeoutS * 1_000,
    logLevel: config.logLevel,
    requestFunc,
  })
}
