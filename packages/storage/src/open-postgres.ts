import { composeDatabase } from './compose-database.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { knownMigrations } from './known-migrations.ts'
import { CHANNEL, Listeners } from './listen-notify/listeners.ts'
import { postgresSignals } from './listen-notify/postgres-signals.ts'
import { migrate } from './sql/migrate/migrate.ts'
import { explainConnectError, explainSchemaError } from './sql/postgres/database-unreachable-error.ts'
import { HeldConnection } from './sql/postgres/held-connection.ts'
import { openPool, STATEMENT_MS } from './sql/postgres/pool-driver.ts'
import { takeReplicaLock } from './sql/postgres/replica-lock.ts'
import { requireSessions } from './sql/postgres/require-sessions.ts'
import { requireUtf8 } from './sql/postgres/require-utf8.ts'

type PostgresOptions = Extract<DatabaseOptions, { kind: 'postgres' }>

const LOCK_PATIENCE_MS = 5_000
/** Connections for periodic duties, in addition to `poolSize`. */
const DUTY_CONNECTIONS = 2

/**
 * Opens a PostgreSQL database: first the connection that holds the lock and listens, then the schema, then
 * the pools of requests and duties. Throws with an error message for the operator when other processes use it in a way that excludes this
 * one.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, replicas } = options
  const listeners = new Listeners()
  // Broken connections surface in failing statements and in `ping`; this handler only keeps them from ending
  // the process.
  const onError = () => {}
  let exclusive = false
  await using opened = new AsyncDisposableStack()
  const held = await HeldConnection.open({
    url,
    async prepare(client) {
      exclusive = false
      // Checked before the lock is taken: a pooler would leave it on a connection that other clients use.
      await requireSessions(client, url)
      await requireUtf8(client, url)
      await takeReplicaLock(client, replicas, LOCK_PATIENCE_MS)
      await client.query(`listen ${CHANNEL}`)
      exclusive = !replicas
    },
    onNotification: (payload) => listeners.tellPayload(payload),
    onError() {
      exclusive = false
    },
  }).catch((error: unknown) => {
    throw explainConnectError(error, url)
  })
  opened.use(held)
  await migrateApart(url).catch((error: unknown) => {
    throw explainSchemaError(error, url)
  })
  const { poolSize: size, statementMs = STATEMENT_MS.request } = options
  const driver = opened.use(openPool({ url, size, onError, statementMs }))
  const duties = opened.use(
    openPool({ url, size: DUTY_CONNECTIONS, onError, statementMs: STATEMENT_MS.duty }),
  )
  const signals = opened.use(postgresSignals(driver, listeners))
  const resources = opened.move()
  return composeDatabase({
    kind: 'postgres',
    driver,
    dutyDriver: duties,
    upkeep: null,
    signals,
    listeners,
    exclusive: () => exclusive,
    close: () => resources.disposeAsync(),
  })
}

/** Over a connection without a timeout: a migration may rewrite a large table, and another process waits for it. */
async function migrateApart(url: string): Promise<void> {
  await using driver = openPool({ url, size: 1, onError: () => {}, statementMs: STATEMENT_MS.migration })
  await migrate(driver, await knownMigrations())
}
