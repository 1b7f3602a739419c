import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '../schema/served.ts'
import { APPLICABLE, NOT_APPLICABLE, type Side, TIMED, unaccounted } from './scenarios.ts'
import { withKey } from './with-key.ts'

/**
 * Runs the official MCP conformance suite against our client of MCP servers and our MCP server, without the network: the suite's
 * servers and ours listen on this machine. `--only NAME` runs one scenario, `--verbose` shows the output of the suite.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
const SCENARIO_MS = 90_000

interface Ended {
  code: number
  text: string
}

function suite(args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH }
  const options = { env, timeout: SCENARIO_MS, maxBuffer: 16 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(process.execPath, [SUITE, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, text: stdout + stderr })
    })
  })
}

/** The scenarios of the suite for one side. */
async function listedOf(side: Side): Promise<string[]> {
  const { text } = await suite(['list', `--${side}`])
  return [...text.matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name)
}

async function runScenario(side: Side, scenario: string, args: readonly string[]): Promise<boolean> {
  const { code, text } = await suite([side, ...args, '--scenario', scenario])
  // A scenario may succeed without a single check, and warns about mere recommendations.
  const [, passed = '0', all = ''] = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(text) ?? []
  const isPassed = code === 0 && passed === all && passed !== '0'
  process.stdout.write(`${isPassed ? 'ok    ' : 'FAILED'}  ${side} ${scenario}: ${passed} checks\n`)
  if (!isPassed || values.verbose) process.stdout.write(`${text}\n`)
  return isPassed
}

async function runScenarios(side: Side, args: readonly string[]): Promise<string[]> {
  const failed: string[] = []
  for (const scenario of APPLICABLE[side]) {
    if (values.only !== undefined && values.only !== scenario) continue
    let isPassed = false
    const attempts = TIMED.includes(scenario) ? 3 : 1
    for (let attempt = 1; attempt <= attempts && !isPassed; attempt += 1) {
      isPassed = await runScenario(side, scenario, args)
    }
    if (!isPassed) failed.push(scenario)
  }
  return failed
}

async function main(): Promise<number> {
  const unknown: string[] = []
  for (const side of ['client', 'server'] as const) unknown.push(...unaccounted(side, await listedOf(side)))
  for (const line of unknown) process.stdout.write(`FAILED  ${line}\n`)
  const client = `${process.execPath} ${join(import.meta.dirname, 'client.ts')}`
  const failed = await runScenarios('client', ['--command', client])
  await using served = await serve(join(import.meta.dirname, 'bundle.yaml'))
  await using proxy = await withKey(served.url, served.credentials.organizationKey)
  failed.push(...(await runScenarios('server', ['--url', `${proxy.url}/api/v1/mcp`])))
  const defects = await served.defects()
  for (const line of defects) process.stdout.write(`The server logged a defect: ${line}\n`)
  const excused = Object.values(NOT_APPLICABLE).flatMap(Object.entries)
  process.stdout.write(`${excused.length} kinds of scenarios do not apply: test/mcp/scenarios.ts says why.\n`)
  return failed.length + defects.length + unknown.length === 0 ? 0 : 1
}

process.exitCode = await main()
