import { reportLostOutput } from '@troupe/telemetry/closed-output'
import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { readEnv } from '../config/env.ts'
import { runCli } from './run-cli.ts'

endWithoutTeardown()
reportLostOutput()
process.exitCode = await runCli(process.argv.slice(2), readEnv(), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
