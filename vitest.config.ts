import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * One run for the whole repository. Files named `*.full.test.ts` are heavy (minutes, or many processes) and run only
 * with `npm run test:full`, which is `vitest run --mode full`. `--mode postgres` puts whole servers under test on
 * PostgreSQL instead of PGlite; `--mode layering` needs no database at all.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', '{bench,test,examples}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(mode === 'full' ? [] : ['**/*.full.test.ts'])],
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
    ],
    setupFiles: ['./test/setup/leaked-handles.ts'],
    pool: 'forks',
    // A worker keeps its process and modules for all of its files: loading the server takes longer than most files. So a
    // test gives back what it changes in its process, and no test replaces modules.
    isolate: false,
    // Node runs these files as they are, so nothing needs to be transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    // Long enough for a machine with ten times as much to do; a test that promises a time says so itself.
    testTimeout: mode === 'full' ? 300_000 : 60_000,
    hookTimeout: mode === 'full' ? 300_000 : 120_000,
    expect: { poll: { timeout: 15_000 } },
    teardownTimeout: 10_000,
    // No retries, which would hide races. Only a test that measures time may have its own `retry`, with the reason beside it.
    retry: 0,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
}))
