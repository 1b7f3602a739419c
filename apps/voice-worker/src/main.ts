import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { isStartedByNpm } from '@troupe/telemetry/stop-signals'
import { quietNativeLogs, readEnvironment } from './config/env.ts'
import { readWorkerConfig, WorkerConfigError } from './config/worker-config.ts'

/** The entry point of a voice worker. */
endWithoutTeardown()
quietNativeLogs()
try {
  const environment = readEnvironment()
  const config = readWorkerConfig(environment)
  // Imported after the check: LiveKit's SDK takes a second to load, and reads the environment too.
  const { runWorker } = await import('./worker/run-worker.ts')
  await runWorker(config, { byNpm: isStartedByNpm(environment) })
} catch (error) {
  if (!(error instanceof WorkerConfigError)) throw error
  console.error(`The voice worker cannot start:\n${error.message}`)
  process.exitCode = 1
}
