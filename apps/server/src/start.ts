import {
  BrokenDatabaseError,
  DatabaseInUseError,
  DatabaseUnreachableError,
  IncompatibleDatabaseError,
} from '@troupe/database'
import { MissingKeyError } from '@troupe/operations/llm-configurations/require-openable-credentials'
import { applyBootBundle, describeBoot } from './boot/boot.ts'
import { readConfig } from './config/config.ts'
import { readEnv } from './config/env.ts'
import { ConfigError } from './config/problems.ts'
import { readSecrets } from './config/secrets.ts'
import { ListenError } from './listen.ts'
import { endWhenStuck } from './observability/deadman.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import type { Context } from './wiring/context.ts'

async function boot(): Promise<ServerProcess> {
  const env = readEnv()
  const config = readConfig(env)
  const answers = config.roles.has('api')
  let announcement = ''
  // Secrets of a bundle or the Playground are printed only once the process is ready.
  const applyBundle = async (context: Context) => {
    announcement = describeBoot(config.publicUrl, await applyBootBundle(context, env.all))
  }
  const server = await startServer(config, await readSecrets(env, config), answers ? [applyBundle] : [])
  server.context.metrics.watchProcess()
  endWhenStuck()
  const ready = answers
    ? `Troupe is ready at ${config.publicUrl} (reference: ${config.publicUrl}/docs)`
    : `This Troupe process is ready: ${[...config.roles].join(' and ')}.`
  process.stdout.write(`${announcement}\n${ready}\n\n`)
  return server
}

/** Expected errors have messages for the operator; any other error is a defect and shows its stack. */
function explain(error: unknown): string {
  if (error instanceof Error && EXPECTED_ERRORS.some((kind) => error instanceof kind)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Errors whose message is written for the operator. */
const EXPECTED_ERRORS = [
  BrokenDatabaseError,
  ConfigError,
  DatabaseInUseError,
  DatabaseUnreachableError,
  IncompatibleDatabaseError,
  ListenError,
  MissingKeyError,
]

try {
  const server = await boot()
  stopOnSignals(process, {
    log: server.context.log,
    drainSeconds: server.context.config.drainSeconds,
    leave: () => server.context.lifecycle.beginDrain(),
    stop: async () => server[Symbol.asyncDispose](),
    explain,
  })
  server.context.lifecycle.onBroken((err) => {
    server.context.log.fatal({ err }, 'a part of the process has crashed: the process ends')
    process.stderr.write(`${explain(err)}\n`)
    process.exit(1)
  })
  const crash = (err: unknown) => {
    server.context.log.fatal({ err }, 'unexpected failure: the process ends')
    process.exit(1)
  }
  process.on('unhandledRejection', crash)
  process.on('uncaughtException', crash)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}
