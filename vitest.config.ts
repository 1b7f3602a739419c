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
    globalSetup:
      mode === 'layering' ? [] : ['./test/setup/shared-postgres.ts', './test/setup/database-image.ts'],
    setupFiles: ['./test/setup/leaked-handles.ts'],
    pool: 'forks',
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    testTimeout: mode === 'full' ? 300_000 : 20_000,
    hookTimeout: mode === 'full' ? 300_000 : 60_000,
    teardownTimeout: 10_000,
    // Promises such as "aborted within 200 ms" are measured on machines that are shared: once more before it is a failure.
    retry: 2,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
}))
