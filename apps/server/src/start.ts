import { startPath } from '@troupe/operations/first-sign-in/start-link'
import { endWhenStuck } from '@troupe/telemetry/deadman'
import { endProcess, endWithoutTeardown } from '@troupe/telemetry/end-process'
import { isStartedByNpm, listenForStops, type StopSignal } from '@troupe/telemetry/stop-signals'
import { applyBootBundle, describeBoot } from './boot/boot.ts'
import { revealSecrets } from './boot/reveal-secrets.ts'
import { readConfig } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { readSecrets } from './config/secrets.ts'
import { explainFailure } from './explain-failure.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import type { Context } from './wiring/context.ts'

endWithoutTeardown()

// Before the server listens nothing was accepted, so it just exits. Process 1 ignores signals without a listener.
let onStop: (signal: StopSignal) => void = () => endProcess(0)
listenForStops(process, (signal) => onStop(signal), { byNpm: isStartedByNpm(readEnv().all) })

// A closed terminal must not crash the process: it also sends SIGHUP, which stops it gracefully.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Once listening, a stop signal waits for the end of the boot, and then for the accepted requests. */
let stopWhenBooted: StopSignal | null = null
async function holdStops(): Promise<void> {
  onStop = (signal) => {
    if (stopWhenBooted !== null) endProcess(1)
    stopWhenBooted = signal
  }
}

let dataDirectory = ''
const explain = (error: unknown) => explainFailure(error, dataDirectory)

/** The started server, and the text to print once signals are handled. */
async function boot(): Promise<[ServerProcess, announcement: string]> {
  const env = readEnv()
  const config = readConfig(env)
  dataDirectory = config.dataDirectory
  const answers = config.roles.has('api')
  let announcement = ''
  // Secrets of a bundle or the Playground are printed only once the process is ready.
  const applyBundle = async (context: Context) => {
    const text = describeBoot(config.publicUrl, await applyBootBundle(context, env.all))
    announcement = await revealSecrets(config, text)
  }
  const steps = answers ? [holdStops, applyBundle] : [holdStops]
  const server = await startServer(config, await readSecrets(env, config), steps)
  server.context.metrics.watchProcess()
  endWhenStuck()
  const ready = answers
    ? `Troupe is ready at ${config.publicUrl} (reference: ${config.publicUrl}/docs)`
    : `This Troupe process is ready: ${[...config.roles].join(' and ')}.`
  const open = answers ? await openHere(server.context) : ''
  return [server, `${announcement}\n${ready}\n${open}\n`]
}

/** The first sign-in link. Printed only where secrets are, because it makes its reader the owner. */
async function openHere({ config, database, newId, clock }: Context): Promise<string> {
  if (!config.exposure.printsSecrets) return ''
  const path = await startPath({ database, newId, now: () => clock.now() })
  if (path === null) return ''
  return `Open ${config.publicUrl}${path}${path === '/setup' ? '' : ' (works once, for 15 minutes)'}\n`
}

try {
  const [server, announcement] = await boot()
  onStop = stopOnSignals(
    { exit: endProcess, stderr: process.stderr },
    {
      log: server.context.log,
      drainSeconds: server.context.config.drainSeconds,
      ringingMs: server.context.calls.drainMs,
      leave: () => server.context.lifecycle.beginDrain(),
      stop: async () => server[Symbol.asyncDispose](),
      explain,
    },
  )
  server.context.lifecycle.onBroken((err) => {
    server.context.log.fatal({ err }, 'a part of the process has crashed: the process ends')
    process.stderr.write(`${explain(err)}\n`)
    endProcess(1)
  })
  const crash = (err: unknown) => {
    server.context.log.fatal({ err }, 'unexpected failure: the process ends')
    endProcess(1)
  }
  process.on('unhandledRejection', crash)
  process.on('uncaughtException', crash)
  process.stdout.write(announcement)
  if (stopWhenBooted !== null) onStop(stopWhenBooted)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  endProcess(1)
}
