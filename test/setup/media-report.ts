import type { Reporter, TestModule } from 'vitest/node'

/**
 * Reports how many media tests ran, and warns about skipped ones in the last lines of the run, because only they prove their
 * subject.
 */
export class MediaReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    // Tests after a failed hook are skipped too; that failure is reported already.
    const skipped = tests.filter((test) => test.result().state === 'skipped' && test.module.ok())
    const write = (line: string) => process.stdout.write(`${line}\n`)
    // After the other reporters, which write when the run has ended.
    setImmediate(() => {
      if (skipped.length > 0) {
        write('\n!!! Media tests were SKIPPED: voice and calls are not proven by this run.')
        for (const [file, inFile] of Map.groupBy(skipped, (test) => test.module.relativeModuleId)) {
          write(`!!!   ${file}: ${inFile.length} tests`)
        }
        write(
          '!!! They need Go 1.26 (or built servers), redis-server, sipp, flite and pocketsphinx. See docs/guides/voice.md.',
        )
      }
      write(`Media tests: ${tests.length - skipped.length} ran, ${skipped.length} skipped.`)
    })
    if (skipped.length > 0 && process.env.VOICE_MEDIA_TESTS === 'required') process.exitCode = 1
  }
}
