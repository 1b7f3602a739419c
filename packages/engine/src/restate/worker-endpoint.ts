import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import { type Advance, type Lane, type Semaphore, SemaphoreClosed } from '@troupe/turns'
import type { EngineLog } from '../delivery/engine-log.ts'
import { REDELIVERY } from '../delivery/redelivery.ts'
import { readInput, SERVICES } from './services.ts'

/** What a worker needs to take deliveries. */
export interface WorkerEndpointParts {
  host: string
  port: number
  /** Public keys of the Restate servers that may call; empty: anybody who reaches the port. */
  identityKeys: readonly string[]
  places: Semaphore
  advance: Advance
  log: EngineLog
}

/** The port where Restate brings deliveries to this process. */
export interface WorkerEndpoint {
  /** Asks callers to go elsewhere and takes no new call; the calls under way go on. */
  refuse(): void
  /** Ends the connections once their last answer is out. */
  close(): Promise<void>
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** See README.md for the reason of each. */
const SERVICE_OPTIONS = {
  journalRetention: 0,
  idempotencyRetention: DAY,
  inactivityTimeout: 20 * MINUTE,
  abortTimeout: 20 * MINUTE,
  retryPolicy: {
    initialInterval: REDELIVERY.firstMs,
    exponentiationFactor: REDELIVERY.factor,
    maxInterval: REDELIVERY.longestMs,
    maxAttempts: DAY / REDELIVERY.longestMs,
    onMaxAttempts: 'kill',
  },
} as const

/** Milliseconds that a connection may take to deliver its last answers; what it does not is delivered again. */
const GOODBYE_MS = 5_000

/**
 * Serves the deliveries of every lane over HTTP/2 without TLS, as Restate speaks it.
 *
 * @throws Error with a sentence when the address cannot be had
 */
export async function serveWorker(parts: WorkerEndpointParts): Promise<WorkerEndpoint> {
  const server = createServer(await createHandler(parts))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  await listen(server, parts)
  server.on('error', (err) => parts.log.warn({ err }, 'the port for Restate has a problem'))
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
  return {
    refuse() {
      server.close()
      for (const session of sessions) session.close()
    },
    async close() {
      const cut = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, GOODBYE_MS)
      await closed
      clearTimeout(cut)
    },
  }
}

/** The SDK is loaded here and not before: 30 MB that only workers of Restate need. */
async function createHandler({ places, advance, identityKeys, log }: WorkerEndpointParts) {
  const { createEndpointHandler, service, TerminalError } = await import('@restatedev/restate-sdk')
  const lanes = Object.entries(SERVICES) as [Lane, string][]
  return createEndpointHandler({
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
    // The SDK tells every call; what a delivery meets is told below, and once.
    logger: ({ level, source }, message, ...details) => {
      if (source === 'SYSTEM' && level === 'error') log.warn({ details }, `Restate SDK: ${message}`)
    },
    services: lanes.map(([lane, name]) =>
      service({
        name,
        options: SERVICE_OPTIONS,
        handlers: {
          // No operation of the context, ever: then nothing is journaled, and any later program can take the delivery.
          advance: async (_context: unknown, input: unknown): Promise<void> => {
            const delivery = readInput(input)
            if (!delivery) throw new TerminalError('No delivery of Troupe.', { errorCode: 400 })
            try {
              await places.run(() => advance({ lane, ...delivery }))
            } catch (err) {
              if (!(err instanceof SemaphoreClosed)) log.warn({ ...delivery, err }, 'a delivery was rejected')
              // Restate keeps and shows this text, so it says nothing about the run.
              throw new Error('The worker rejected the delivery; its log says why.')
            }
          },
        },
      }),
    ),
  })
}

async function listen(server: Http2Server, { host, port }: WorkerEndpointParts): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (cause) {
    const reason =
      cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
        ? 'is taken by another program'
        : `: ${cause}`
    throw new Error(`The worker cannot listen for Restate: port ${port} on ${host} ${reason}.`, { cause })
  }
}
