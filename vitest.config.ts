import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'
import { MediaReport } from './test/setup/media-report.ts'
import { postgresTests } from './test/setup/postgres-tests.ts'
import { SLOW_TESTS } from './test/setup/slow-tests.ts'

const EVERY_TEST = ['{packages,apps}/*/{src,test}/**/*.test.ts', '{bench,test,examples}/**/*.test.ts']
const FULL_TESTS = ['**/*.full.test.ts']
const MEDIA_TESTS = ['**/*.media.test.ts']

/** The test files of a mode: `npm test` has none. */
function files(mode: string): { include: string[]; exclude: string[] } {
  switch (mode) {
    case 'full':
      return { include: EVERY_TEST, exclude: MEDIA_TESTS }
    case 'media':
      return { include: MEDIA_TESTS, exclude: [] }
    case 'slow':
      return { include: Object.keys(SLOW_TESTS), exclude: FULL_TESTS }
    case 'postgres':
      return { include: postgresTests(), exclude: [...FULL_TESTS, ...MEDIA_TESTS] }
    default:
      return { include: EVERY_TEST, exclude: [...FULL_TESTS, ...MEDIA_TESTS, ...Object.keys(SLOW_TESTS)] }
  }
}

/**
 * One configuration for the whole repository. `--mode slow` runs the files of slow-tests.ts, which `npm test` leaves out.
 * Files named `*.full.test.ts` are heavy (minutes, or many processes) and run only with `--mode full`, which runs
 * everything else. Files named `*.media.test.ts` start media servers and run one after the other with `--mode media`.
 * `--mode postgres` runs the files with whole servers on PostgreSQL instead of PGlite; `--mode layering` needs no database.
 */
export default defineConfig(({ mode }) => {
  const { include, exclude } = files(mode)
  return {
    test: {
      include,
      exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
      env: mode === 'postgres' ? { TROUPE_TEST_DATABASE: 'postgres' } : {},
      globalSetup: [
        './test/setup/compile-cache.ts',
        ...(mode === 'layering'
          ? []
          : [
              './test/setup/shared-postgres.ts',
              './test/setup/database-image.ts',
              './test/setup/parser-bundle.ts',
            ]),
        ...(mode === 'media' ? ['./test/setup/media-servers.ts'] : []),
      ],
      setupFiles: ['./test/setup/leaked-handles.ts'],
      pool: 'forks',
      sequence: { sequencer: LongestFirst },
      // A worker keeps its process and modules for all of its files: loading the server takes longer than most files. So a
      // test gives back what it changes in its process, and no test replaces modules.
      isolate: false,
      // Node runs these files as they are, so nothing needs to be transformed.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Media tests measure times, and load alone doubles them.
      maxWorkers: mode === 'media' ? 1 : Math.max(2, Math.min(4, availableParallelism())),
      ...(mode === 'media' ? { reporters: ['default', new MediaReport()] } : {}),
      // Long enough for a machine with ten times as much to do; a test that promises a time says so itself.
      testTimeout: mode === 'full' || mode === 'media' ? 300_000 : 60_000,
      hookTimeout: mode === 'full' || mode === 'media' ? 300_000 : 120_000,
      expect: { poll: { timeout: 15_000 } },
      teardownTimeout: 10_000,
      // No retries, which would hide races. Only a test that measures time may have its own `retry`, with the reason beside it.
      retry: 0,
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
    },
  }
})
