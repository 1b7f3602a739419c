import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { serverBinaries } from './binaries.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { runStatement, withDatabase } from './statements.ts'

/** Brings an empty database to the schema under test. */
export type Migrate = (url: string) => Promise<void>

/** A database of its own; disposing drops it, with whatever is still connected. */
export interface TestDatabase extends AsyncDisposable {
  url: string
}

/** A server with a migrated template. Disposing stops what was started and drops what was created. */
export interface TestPostgres extends AsyncDisposable {
  /** Connection URL of the maintenance database. */
  url: string
  template: string
  /** A copy of the migrated template. */
  createDatabase(): Promise<TestDatabase>
  /** A database without a schema. */
  createEmptyDatabase(): Promise<TestDatabase>
  /** Crashes the server and starts it again; null for a server that is not ours. */
  restart: (() => Promise<void>) | null
}

function newName(kind: string): string {
  return `troupe_${kind}_${randomUUID().replaceAll('-', '').slice(0, 16)}`
}

/** The programs, or the reason to fail: a URL of a server is of no use without `psql`. */
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

/** A server that another process started and prepared: see {@link startTestPostgres}. */
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
 * Starts a throw-away server, or takes the one that `TROUPE_TEST_DATABASE_URL` names, and migrates a template. Null
 * when there are no server programs on this machine.
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
    restart: cluster ? () => cluster.restart() : null,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
