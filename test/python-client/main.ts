import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolsMissingError } from '../schema/python-tools.ts'
import { serve } from '../schema/served.ts'
import { CLIENT, clientTools, generatedModules } from './generate.ts'

/**
 * `npm run test:python`: the committed Python client is the generated one, its types are sound, and it works against a server.
 * Exits with 2 if Python or its packages are missing, and nothing was tested.
 */
const AGENT = 'a2000000-0000-4000-8000-000000000009'
const TEAM = 'a3000000-0000-4000-8000-000000000001'

function run(what: string, program: string, parameters: string[], env: Record<string, string> = {}): boolean {
  const { status } = spawnSync(program, parameters, {
    cwd: CLIENT,
    env: { ...process.env, PYTHONPATH: CLIENT, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'}  ${what}\n`)
  return status === 0
}

async function isUpToDate(): Promise<boolean> {
  const stale: string[] = []
  for (const [name, text] of Object.entries(await generatedModules())) {
    if ((await readFile(join(CLIENT, 'troupe', name), 'utf8')) !== text) stale.push(name)
  }
  const hint = stale.length === 0 ? '' : ` (${stale.join(', ')}): npm run generate:python`
  process.stdout.write(
    `${stale.length === 0 ? 'ok    ' : 'FAILED'}  the committed client is the generated one${hint}\n`,
  )
  return stale.length === 0
}

async function main(): Promise<number> {
  const tool = await clientTools()
  const test = join(import.meta.dirname, 'client_test.py')
  const types = [
    '--strict',
    '--cache-dir',
    join(CLIENT, '..', '..', 'node_modules', '.cache', 'mypy'),
    'troupe',
    test,
  ]
  const results = [await isUpToDate(), run('its types are sound', tool('mypy'), types)]
  await using served = await serve()
  const env = { BASE_URL: served.url, API_KEY: served.credentials.organizationKey, AGENT, TEAM }
  results.push(run('it works against a server', tool('python'), [test], env))
  return results.every(Boolean) ? 0 : 1
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof ToolsMissingError)) throw error
  process.stderr.write(`\n!!! The Python client was NOT tested: ${error.message}\n\n`)
  return 2
})
