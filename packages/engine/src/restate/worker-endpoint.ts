import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import { type Advance, type Lane, type Semaphore, SemaphoreClosed } from '@troupe/durable-work'
import type { EngineLog } from '../delivery/engine-log.ts'
import { REDELIVERY } from '../delivery/redelivery.ts'
import { readInput, SERVICES } from './services.ts'

/** The dependencies of a worker endpoint. */
export interface WorkerEndpointParts {
  host: string
  port: number
  /** Public keys of the Restate servers that may call; empty: any caller that reaches the port. */
  identityKeys: readonly string[]
  places: Semaphore
  advance: Advance
  log: EngineLog
}

/** The port on which Restate delivers to this process. */
export interface WorkerEndpoint {
  /** Sends GOAWAY and accepts no new calls; calls in progress continue. */
  refuse(): void
  /** Closes the connections once their last response is sent. */
  close(): Promise<void>
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** README.md explains each option. */
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

/** Milliseconds for a connection to send its last responses; unsent ones are redelivered. */
const GOODBYE_MS = 5_000

/**
 * Serves the deliveries of every lane over HTTP/2 without TLS, the protocol of Restate.
 *
 * @throws Error with a readable sentence when the address is not available
 */
export async function serveWorker(parts: WorkerEndpointParts): Promise<WorkerEndpoint> {
  const server = createServer(await createHandler(parts))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  await listen(server, parts)
  server.on('error', (err) => parts.log.warn({ err }, 'the port for Restate reported an error'))
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

/** Loads the SDK on demand: 30 MB that only Restate workers need. */
async function createHandler({ places, advance, identityKeys, log }: WorkerEndpointParts) {
  const { createEndpointHandler, service, TerminalError } = await import('@restatedev/restate-sdk')
  const lanes = Object.entries(SERVICES) as [Lane, string][]
  return createEndpointHandler({
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
    // The SDK logs every call; rejected deliveries are logged below, once each.
    logger: ({ level, source }, message, ...details) => {
      if (source === 'SYSTEM' && level === 'error') log.warn({ details }, `Restate SDK: ${message}`)
    },
    services: lanes.map(([lane, name]) =>
      service({
        name,
        options: SERVICE_OPTIONS,
        handlers: {
          // The handler never uses the context, so nothing is journaled and any later version can take the
          // delivery.
          advance: async (_context: unknown, input: unknown): Promise<void> => {
            const delivery = readInput(input)
            if (!delivery) throw new TerminalError('Not a delivery of Troupe.', { errorCode: 400 })
            try {
              await places.run(() => advance({ lane, ...delivery }))
            } catch (err) {
              if (!(err instanceof SemaphoreClosed)) log.warn({ ...delivery, err }, 'a delivery was rejected')
              // Restate stores and displays this text, so it reveals nothing about the run.
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
        ? 'is in use by another program'
        : `: ${cause}`
    throw new Error(`The worker cannot listen for Restate: port ${port} on ${host} ${reason}.`, { cause })
  }
}
