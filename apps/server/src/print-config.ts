import { reportLostOutput } from '@troupe/telemetry/closed-output'
import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { readConfig } from './config/config.ts'
import { describeConfig, describeDecisions } from './config/describe.ts'
import { readEnv } from './config/env.ts'
import { ConfigError } from './config/problems.ts'

endWithoutTeardown()
reportLostOutput()
const env = readEnv()
process.stdout.write(`${describeConfig(env)}\n`)
try {
  process.stdout.write(`\n${describeDecisions(readConfig(env))}\n`)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}
