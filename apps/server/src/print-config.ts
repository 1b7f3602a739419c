import { readConfig } from './config/config.ts'
import { describeConfig } from './config/describe.ts'
import { readEnv } from './config/env.ts'
import { ConfigError } from './config/problems.ts'

const env = readEnv()
process.stdout.write(`${describeConfig(env)}\n`)
try {
  readConfig(env)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}
