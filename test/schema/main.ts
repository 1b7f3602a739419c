import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type Caller, callersOf } from './callers.ts'
import { createIdentifiers, identifiersAsToml } from './identifiers.ts'
import { installSchemathesis, ToolsMissingError } from './python-tools.ts'
import { addReached, type Reached, surprises } from './reached.ts'
import { documentOf, type Served, serve } from './served.ts'

/**
 * Calls every documented route of a real server with generated requests, and checks every response against the document. `--seed N`
 * or `--seed random` replaces the fixed seed, `--thorough` lifts the limits that keep a run within a minute, `--only NAME` selects
 * a caller. Exit code 2: the tools are missing, and nothing was checked.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261122' },
    thorough: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const seed = values.seed === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)

/** Two servers, one for each core: callers of one lane do not see the changes of the other. */
const LANES: readonly (readonly string[])[] = [
  ['organization', 'stranger'],
  ['operator', 'project', 'visitor'],
]

/** Runs Schemathesis, and returns the failures. */
async function check(program: string, served: Served, caller: Caller): Promise<string[]> {
  const { name, environment, parameters, examples } = caller
  const document = join(served.folder, `${name}.json`)
  await writeFile(document, await documentOf(served, caller.document))
  const all = [
    ...['--config-file', join(served.folder, 'schemathesis.toml')],
    ...['run', document, '--url', served.url, '--workers', '1', '--no-color', '--continue-on-failure'],
    ...['--seed', String(seed), '--max-examples', String(values.thorough ? examples * 8 : examples)],
    ...parameters,
  ]
  const child = spawn(program, all, {
    env: { ...process.env, ...environment, CHECKS: join(import.meta.dirname, 'checks.py') },
    cwd: served.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const summary = /Test cases:\s+([^\n]+)/.exec(output)?.[1] ?? 'no summary'
  const operations = /Tested: (\d+)/.exec(output)?.[1] ?? '0'
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name}: ${operations} operations, ${summary}\n`)
  return code === 0 ? [] : [`${output}${errors}`]
}

/** The combined findings of the lanes. */
interface Findings {
  failures: string[]
  reached: Reached
  /** The text of each document by its path. */
  documents: Map<string, string>
}

/** Runs callers one after the other on their own server. */
async function runLane(program: string, names: readonly string[], findings: Findings): Promise<void> {
  await using served = await serve()
  const files = ['schemathesis.toml', ...(values.thorough ? [] : ['bounded.toml'])]
  const parts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  parts.push(identifiersAsToml(await createIdentifiers(served)))
  await writeFile(join(served.folder, 'schemathesis.toml'), parts.join('\n'))
  for (const caller of await callersOf(served)) {
    if (!names.includes(caller.name)) continue
    findings.failures.push(...(await check(program, served, caller)))
    findings.documents.set(caller.document, await documentOf(served, caller.document))
  }
  await addReached(findings.reached, served)
  const defects = await served.defects()
  findings.failures.push(...defects.map((line) => `The server logged a defect: ${line}`))
}

async function main(): Promise<number> {
  const program = await installSchemathesis()
  const began = Date.now()
  const { only } = values
  const lanes = only === undefined ? LANES : [[only]]
  const findings: Findings = { failures: [], reached: new Map(), documents: new Map() }
  const { failures, reached, documents } = findings
  await Promise.all(lanes.map((names) => runLane(program, names, findings)))
  if (only === undefined) {
    const unexpected = [...documents.values()].flatMap((document) => surprises(document, reached))
    failures.push(...unexpected.map((one) => `Unexpected: ${one}`))
  }
  for (const failure of failures) process.stdout.write(`\n${failure}\n`)
  process.stdout.write(`Seed ${seed}, ${Math.round((Date.now() - began) / 1000)} s.\n`)
  return failures.length === 0 ? 0 : 1
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof ToolsMissingError)) throw error
  process.stderr.write(`\n!!! The OpenAPI documents were NOT checked: ${error.message}\n\n`)
  return 2
})
