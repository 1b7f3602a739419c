// `npm run build:media`: builds the media servers unless they exist. `--in-background` yields the processor to others.
import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { ensureBinaries } from '../binaries/ensure-binaries.ts'

endWithoutTeardown()
const binaries = await ensureBinaries({
  report: (line) => process.stdout.write(`${line}\n`),
  inBackground: process.argv.includes('--in-background'),
})
if (binaries === null) {
  process.stderr.write('There are no media servers: building them needs Go 1.26.\n')
  process.exitCode = 2
} else {
  process.stdout.write(`${binaries.livekitServer}\n${binaries.bridge}\n`)
}
