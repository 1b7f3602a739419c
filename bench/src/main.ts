import { openDatabase } from '@troupe/storage'
import { startTestPostgres, type TestPostgres } from '@troupe/test-kit/postgres'
import { measureAgentRun } from './measures/agent-run.ts'
import { measureBuilderPages } from './measures/builder-pages.ts'
import { measureDocumentRecall } from './measures/document-recall.ts'
import { measureDocuments } from './measures/documents.ts'
import { measureFirstToken } from './measures/first-token.ts'
import { measureGraphSpeed } from './measures/graph-speed.ts'
import { type DatabaseUrls, measureJobs } from './measures/jobs.ts'
import { measureKnowledge } from './measures/knowledge.ts'
import { type FireRow, measureScheduleFires } from './measures/schedule-fires.ts'
import { measureStartAndIdle } from './measures/start-and-idle.ts'
import { measureStreamFormats } from './measures/stream-formats.ts'
import { measureTeamModes } from './measures/team-modes.ts'
import { measureToolLoop } from './measures/tool-loop.ts'
import { measureVoiceTurns } from './measures/voice-turns.ts'
import { measureWebhookStarts } from './measures/webhook-starts.ts'
import { measureWorkflowGrowth } from './measures/workflow-growth.ts'
import { measureWorkflowMemory } from './measures/workflow-memory.ts'
import { measureWorkflowRuns, type WorkflowDatabases } from './measures/workflow-runs.ts'
import {
  documentTable,
  fireTable,
  graphTable,
  growthTable,
  jobTable,
  knowledgeTable,
  memoryTable,
  pageTable,
  recallTable,
  type Storage,
  startTable,
  storageTables,
  streamTable,
  teamTable,
  toolLoopTable,
  voiceTables,
  webhookTable,
  workflowTable,
  writeJson,
} from './report.ts'
import { openSetting } from './targets/setting.ts'

const PARTS = [
  'start',
  'pglite',
  'postgres',
  'teams',
  'tools',
  'streams',
  'jobs',
  'workflows',
  'webhooks',
  'schedules',
  'graph',
  'documents',
  'knowledge',
  'builder',
] as const
/** Measures that take minutes and gigabytes, run only on request. */
const APART = ['workflows-growth', 'workflows-memory', 'knowledge-postgres', 'voice'] as const
type Part = (typeof PARTS)[number] | (typeof APART)[number]

async function measureStorage(storage: Storage, databaseUrl: string | null): Promise<void> {
  await using setting = await openSetting(databaseUrl)
  const firstToken = await measureFirstToken(setting)
  const agentRun = await measureAgentRun(setting)
  const report = { storage, agentRun, firstToken }
  console.log(`\n${storageTables(report)}`)
  await writeJson(storage.toLowerCase(), report)
}

async function measureTeams(storage: Storage, databaseUrl: string | null): Promise<void> {
  const rows = await measureTeamModes(databaseUrl)
  console.log(`\n${teamTable(storage, rows)}`)
  await writeJson(`teams-${storage.toLowerCase()}`, rows)
}

async function measureTools(storage: Storage, databaseUrl: string | null): Promise<void> {
  const rows = await measureToolLoop(databaseUrl)
  console.log(`\n${toolLoopTable(storage, rows)}`)
  await writeJson(`tools-${storage.toLowerCase()}`, rows)
}

async function measureStreams(storage: Storage, databaseUrl: string | null): Promise<void> {
  const rows = await measureStreamFormats(databaseUrl)
  console.log(`\n${streamTable(storage, rows)}`)
  await writeJson(`streams-${storage.toLowerCase()}`, rows)
}

async function measureKnowledgeOf(storage: Storage, databaseUrl: string | null): Promise<void> {
  const row = await measureKnowledge(databaseUrl)
  console.log(`\n${knowledgeTable(storage, row)}`)
  await writeJson(`knowledge-${storage.toLowerCase()}`, row)
}

const measureKnowledgeOnPostgres = () =>
  withPostgres(async (postgres) => {
    await using database = await postgres.createDatabase()
    await measureKnowledgeOf('PostgreSQL', database.url)
  })

async function measureEngines(storage: Storage, databaseUrls: DatabaseUrls): Promise<void> {
  const rows = await measureJobs(databaseUrls)
  console.log(`\n${jobTable(storage, rows)}`)
  await writeJson(`jobs-${storage.toLowerCase()}`, rows)
}

async function measureWorkflows(storage: Storage, databases: WorkflowDatabases): Promise<void> {
  const rows = await measureWorkflowRuns(databases)
  console.log(`\n${workflowTable(storage, rows)}`)
  await writeJson(`workflows-${storage.toLowerCase()}`, rows)
}

async function measureWebhooks(storage: Storage, databases: readonly [string, string] | null): Promise<void> {
  const rows = await measureWebhookStarts(databases)
  console.log(`\n${webhookTable(storage, rows)}`)
  await writeJson(`webhooks-${storage.toLowerCase()}`, rows)
}

async function measureMemory(storage: Storage, databaseUrl: string | null): Promise<void> {
  const rows = await measureWorkflowMemory(databaseUrl)
  console.log(`\n${memoryTable(storage, rows)}`)
  await writeJson(`workflows-memory-${storage.toLowerCase()}`, rows)
}

/** A throw-away PostgreSQL for one measure; without its programs the measure is skipped with a message. */
async function withPostgres(measure: (postgres: TestPostgres) => Promise<void>): Promise<void> {
  const migrate = async (url: string) => {
    await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
  }
  await using postgres = await startTestPostgres(migrate)
  if (!postgres) {
    console.log('\nPostgreSQL is skipped: this machine has no server programs.')
    return
  }
  await measure(postgres)
}

async function measure(part: Part): Promise<void> {
  switch (part) {
    case 'start': {
      const start = await measureStartAndIdle()
      console.log(`\n## Start and memory (PGlite)\n\n${startTable(start)}`)
      return writeJson('start', start)
    }
    case 'pglite':
      return measureStorage('PGlite', null)
    case 'postgres':
      return withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        await measureStorage('PostgreSQL', database.url)
      })
    case 'teams':
      await measureTeams('PGlite', null)
      return withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        await measureTeams('PostgreSQL', database.url)
      })
    case 'tools':
      await measureTools('PGlite', null)
      return withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        await measureTools('PostgreSQL', database.url)
      })
    case 'streams':
      await measureStreams('PGlite', null)
      return withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        await measureStreams('PostgreSQL', database.url)
      })
    case 'jobs':
      await measureEngines('PGlite', [null, null])
      return withPostgres(async (postgres) => {
        await using local = await postgres.createDatabase()
        await using restate = await postgres.createDatabase()
        await measureEngines('PostgreSQL', [local.url, restate.url])
      })
    case 'workflows':
      await measureWorkflows('PGlite', null)
      return withPostgres(async (postgres) => {
        await using local = await postgres.createDatabase()
        await using restate = await postgres.createDatabase()
        await measureWorkflows('PostgreSQL', [local.url, restate.url])
      })
    case 'webhooks':
      await measureWebhooks('PGlite', null)
      return withPostgres(async (postgres) => {
        await using bare = await postgres.createDatabase()
        await using troupe = await postgres.createDatabase()
        await measureWebhooks('PostgreSQL', [bare.url, troupe.url])
      })
    case 'schedules': {
      const rows: { storage: Storage; row: FireRow }[] = []
      rows.push({ storage: 'PGlite', row: await measureScheduleFires(null) })
      await withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        rows.push({ storage: 'PostgreSQL', row: await measureScheduleFires(database.url) })
      })
      console.log(`\n${fireTable(rows)}`)
      return writeJson('schedules', rows)
    }
    case 'graph': {
      const rows = measureGraphSpeed()
      console.log(`\n${graphTable(rows)}`)
      return writeJson('graph', rows)
    }
    case 'documents': {
      const folder = process.env.DOCUMENTS
      if (folder !== undefined && folder !== '') {
        const report = await measureDocumentRecall(folder)
        console.log(`\n${recallTable(report.rows)}`)
        return writeJson('document-recall', report)
      }
      const rows = await measureDocuments()
      console.log(`\n${documentTable(rows)}`)
      return writeJson('documents', rows)
    }
    case 'knowledge':
      await measureKnowledgeOf('PGlite', null)
      return measureKnowledgeOnPostgres()
    case 'knowledge-postgres':
      return measureKnowledgeOnPostgres()
    case 'builder':
      return withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        const rows = await measureBuilderPages(database.url)
        if (rows === null) return
        console.log(`\n${pageTable(rows)}`)
        await writeJson('builder', rows)
      })
    case 'voice': {
      const report = await measureVoiceTurns(console.log)
      console.log(`\n${voiceTables(report)}`)
      return writeJson('voice', report)
    }
    case 'workflows-growth':
      return withPostgres(async (postgres) => {
        await using empty = await postgres.createDatabase()
        await using full = await postgres.createDatabase()
        const rows = await measureWorkflowGrowth(empty.url, full.url, console.log)
        console.log(`\n${growthTable(rows)}`)
        await writeJson('workflows-growth', rows)
      })
    case 'workflows-memory':
      await measureMemory('PGlite', null)
      return withPostgres(async (postgres) => {
        await using database = await postgres.createDatabase()
        await measureMemory('PostgreSQL', database.url)
      })
    default:
      return part satisfies never
  }
}

const asked = process.argv.slice(2)
const known: readonly string[] = [...PARTS, ...APART]
const unknown = asked.filter((part) => !known.includes(part))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are ${known.join(', ')}.`)
  process.exit(1)
}
for (const part of asked.length > 0 ? (asked as Part[]) : PARTS) await measure(part)
