import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { serverBinaries } from './binaries.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { runStatement, withDatabase } from './statements.ts'

/** Migrates an empty database to the schema under test. */
export type Migrate = (url: string) => Promise<void>

/** A private database; disposing drops it, open connections included. */
export interface TestDatabase extends AsyncDisposable {
  url: string
}

/** A server with a migrated template. Disposing stops the started server and drops the created databases. */
export interface TestPostgres extends AsyncDisposable {
  /** Connection URL of the maintenance database. */
  url: string
  template: string
  /** A copy of the migrated template. */
  createDatabase(): Promise<TestDatabase>
  /** A database without a schema. */
  createEmptyDatabase(): Promise<TestDatabase>
  /** Kills and restarts the server; null for a server that this process did not start. */
  restart: (() => Promise<void>) | null
}

function newName(kind: string): string {
  return `troupe_${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`
}

/** The programs, or an error: the URL of a server is useless without `psql`. */
function psqlOf(binaries: string | null): string {
  return binaries === null ? 'psql' : join(binaries, 'psql')
}

async function createFrom(psql: string, url: string, template: string): Promise<TestDatabase> {
  const name = newName('test')
  await runStatement(psql, url, `create database ${name} template ${template}`)
  return {
    url: withDatabase(url, name),
    [Symbol.asyncDispose]: () => runStatement(psql, url, `drop database if exists ${name} with (force)`),
  }
}

/** A server started and prepared by another process: see {@link startTestPostgres}. */
export function joinTestPostgres(shared: { url: string; template: string }): TestPostgres {
  const psql = psqlOf(serverBinaries())
  return {
    ...shared,
    createDatabase: () => createFrom(psql, shared.url, shared.template),
    createEmptyDatabase: () => createFrom(psql, shared.url, 'template0'),
    restart: null,
    async [Symbol.asyncDispose]() {},
  }
}

/**
 * Starts a throw-away server, or uses the one at `TROUPE_TEST_DATABASE_URL`, and migrates a template. Null
 * when no server programs are installed.
 */
export async function startTestPostgres(migrate: Migrate): Promise<TestPostgres | null> {
  const existing = process.env.TROUPE_TEST_DATABASE_URL
  const binaries = serverBinaries()
  if (!existing && !binaries) return null
  await using started = new AsyncDisposableStack()
  const cluster: Cluster | null = existing || !binaries ? null : started.use(await startCluster(binaries))
  const url = cluster?.url ?? existing ?? ''
  const template = newName('template')
  const psql = psqlOf(binaries)
  await runStatement(psql, url, `create database ${template} template template0`)
  started.defer(() => runStatement(psql, url, `drop database if exists ${template} with (force)`))
  await migrate(withDatabase(url, template))
  const resources = started.move()
  return {
    ...joinTestPostgres({ url, template }),
    restart:
      cluster &&
      (async () => {
        await cluster.stop()
        await cluster.start()
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
