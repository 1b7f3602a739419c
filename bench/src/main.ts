import { openDatabase } from '@troupe/database'
import { startTestPostgres } from '@troupe/test-kit/postgres'
import { measureAgentRun } from './measures/agent-run.ts'
import { measureFirstToken } from './measures/first-token.ts'
import { measureStartAndIdle } from './measures/start-and-idle.ts'
import { type StorageReport, startTable, storageTables, writeJson } from './report.ts'
import { openSetting } from './targets/setting.ts'

const PARTS = ['start', 'pglite', 'postgres'] as const
type Part = (typeof PARTS)[number]

async function measureStorage(storage: StorageReport['storage'], databaseUrl: string | null): Promise<void> {
  await using setting = await openSetting(databaseUrl)
  const firstToken = await measureFirstToken(setting)
  const agentRun = await measureAgentRun(setting)
  const report = { storage, agentRun, firstToken }
  console.log(`\n${storageTables(report)}`)
  await writeJson(storage.toLowerCase(), report)
}

async function measurePostgres(): Promise<void> {
  const migrate = async (url: string) => {
    await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
  }
  await using postgres = await startTestPostgres(migrate)
  if (!postgres) {
    console.log('\nPostgreSQL is skipped: this machine has no server programs.')
    return
  }
  await using database = await postgres.createDatabase()
  await measureStorage('PostgreSQL', database.url)
}

async function measure(part: Part): Promise<void> {
  switch (part) {
    case 'start': {
      const start = await measureStartAndIdle()
      console.log(`\n## Start and idle (PGlite)\n\n${startTable(start)}`)
      return writeJson('start', start)
    }
    case 'pglite':
      return measureStorage('PGlite', null)
    case 'postgres':
      return measurePostgres()
    default:
      return part satisfies never
  }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((part) => !PARTS.includes(part as Part))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${PARTS.join(', ')}.`)
  process.exit(1)
}
for (const part of asked.length > 0 ? (asked as Part[]) : PARTS) await measure(part)
