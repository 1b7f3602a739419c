import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { readEnv } from '../config/env.ts'
import { runCli } from './run-cli.ts'

endWithoutTeardown()
process.exitCode = await runCli(process.argv.slice(2), readEnv(), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
