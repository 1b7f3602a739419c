import { type Database, openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { openTeams, type Teams } from './open-teams.ts'

/** Two processes on one PostgreSQL database; null, with a warning, if the machine has no server. */
export async function twoProcesses(): Promise<
  (AsyncDisposable & { one: Database; two: Database; teams: Teams }) | null
> {
  await using resources = new AsyncDisposableStack()
  const open = (url: string) => openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: true })
  const postgres = await testPostgres(async (url) => (await open(url))[Symbol.asyncDispose]())
  if (!postgres) return null
  resources.use(postgres)
  const { url } = resources.use(await postgres.createDatabase())
  const one = resources.use(await open(url))
  const two = resources.use(await open(url))
  const teams = resources.use(await openTeams(one))
  const owned = resources.move()
  return { one, two, teams, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
