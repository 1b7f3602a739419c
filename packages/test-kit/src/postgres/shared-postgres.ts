import { joinTestPostgres, type Migrate, startTestPostgres, type TestPostgres } from './test-postgres.ts'

/** The key under which the main test process passes the server's address to its workers. */
const VARIABLE = 'TROUPE_TEST_SHARED_POSTGRES'
const MISSING =
  'PostgreSQL tests are skipped: this machine has no PostgreSQL server (initdb, postgres, psql).'

/**
 * A Vitest `globalSetup` function: one server and one migrated template per run.
 *
 *     export const setup = sharedPostgres((url) => …)
 */
export function sharedPostgres(migrate: Migrate): () => Promise<() => Promise<void>> {
  return async () => {
    const postgres = await startTestPostgres(migrate)
    process.env[VARIABLE] = JSON.stringify(postgres && { url: postgres.url, template: postgres.template })
    return async () => {
      delete process.env[VARIABLE]
      await postgres?.[Symbol.asyncDispose]()
    }
  }
}

/**
 * The server of this test run, or a private one when the run has none. Null, with a warning, when no server
 * is installed; in CI (`CI=true`) that throws instead.
 */
export async function testPostgres(migrate: Migrate): Promise<TestPostgres | null> {
  const shared: { url: string; template: string } | null = JSON.parse(process.env[VARIABLE] ?? 'null')
  const postgres = shared ? joinTestPostgres(shared) : await startTestPostgres(migrate)
  if (postgres) return postgres
  if (process.env.CI === 'true') throw new Error(MISSING)
  process.stderr.write(`\n*** ${MISSING} ***\n\n`)
  return null
}
