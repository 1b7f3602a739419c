import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type Caller, callersOf, PUBLIC, SITE } from './callers.ts'
import { createIdentifiers, identifiersAsToml } from './identifiers.ts'
import { installSchemathesis, ToolsMissingError } from './python-tools.ts'
import { addReached, type Reached, surprises } from './reached.ts'
import { documentOf, type Served, serve } from './served.ts'

/**
 * Calls every documented route of a real server with generated requests, and checks every answer against the document.
 * `--seed N` or `--seed random` replaces the fixed seed, `--examples N` multiplies the examples, `--only NAME` selects a
 * caller. Exit code 2: the tools are missing, and nothing was checked.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261122' },
    examples: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const seed = values.seed === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)

/** Two servers, one for each core: callers of one lane do not meet what those of the other changed. */
const LANES: readonly (readonly string[])[] = [
  ['organization'],
  ['operator', 'project', 'stranger', 'visitor'],
]

/** Runs Schemathesis, and returns what failed. */
async function check(program: string, served: Served, caller: Caller): Promise<string[]> {
  const { name, environment, parameters, examples } = caller
  const document = join(served.folder, `${name}.json`)
  await writeFile(document, await documentOf(served, caller.document))
  const all = [
    ...['--config-file', join(served.folder, 'schemathesis.toml')],
    ...['run', document, '--url', served.url, '--workers', '1', '--no-color', '--continue-on-failure'],
    ...['--seed', String(seed), '--max-examples', String(examples * Number(values.examples))],
    ...parameters,
  ]
  const child = spawn(program, all, {
    env: { ...process.env, ...environment, CHECKS: join(import.meta.dirname, 'checks.py') },
    cwd: served.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await closed
  const summary = /Test cases:\s+([^\n]+)/.exec(output)?.[1] ?? 'no summary'
  const operations = /Tested: (\d+)/.exec(output)?.[1] ?? '0'
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name}: ${operations} operations, ${summary}\n`)
  return code === 0 ? [] : [`${output}${errors}`]
}

/** Runs callers one after the other on a server of their own. */
async function runLane(program: string, names: readonly string[], reached: Reached): Promise<string[]> {
  await using served = await serve()
  const fixed = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8')
  const identifiers = identifiersAsToml(await createIdentifiers(served))
  await writeFile(join(served.folder, 'schemathesis.toml'), `${fixed}\n${identifiers}`)
  const failures: string[] = []
  for (const caller of await callersOf(served)) {
    if (names.includes(caller.name)) failures.push(...(await check(program, served, caller)))
  }
  await addReached(reached, served)
  const defects = (await served.defects()).map((line) => `The server logged a defect: ${line}`)
  return [...failures, ...defects]
}

async function main(): Promise<number> {
  const program = await installSchemathesis()
  const began = Date.now()
  const { only } = values
  const lanes = only === undefined ? LANES : [[only]]
  const reached: Reached = new Map()
  const failures = (await Promise.all(lanes.map((names) => runLane(program, names, reached)))).flat()
  if (only === undefined) failures.push(...(await unexpected(reached)))
  for (const failure of failures) process.stdout.write(`\n${failure}\n`)
  process.stdout.write(`Seed ${seed}, ${Math.round((Date.now() - began) / 1000)} s.\n`)
  return failures.length === 0 ? 0 : 1
}

async function unexpected(reached: Reached): Promise<string[]> {
  await using served = await serve()
  const documents = await Promise.all([PUBLIC, SITE].map((path) => documentOf(served, path)))
  return documents.flatMap((document) => surprises(document, reached)).map((one) => `Unexpected: ${one}`)
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof ToolsMissingError)) throw error
  process.stderr.write(`\n!!! The OpenAPI documents were NOT checked: ${error.message}\n\n`)
  return 2
})
