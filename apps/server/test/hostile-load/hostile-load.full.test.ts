import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listed, startHostileServer } from '@troupe/tools/testing/hostile-server'
import { expect, test } from 'vitest'
import { startProgram } from '../crash/program.ts'
import { startDocumentServer } from './document-server.ts'
import { writeHostileCustomer } from './hostile-customer.ts'
import { type AttackAnswer, type LoadRun, type Phase, startLoad } from './load-phases.ts'

const ROUNDS = 3
/** 12 KB of schema for each tool. */
const WIDE = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`property_of_the_tool_${n}`, { type: 'string' }]),
  ),
}
const STATUSES_OF_TRIALS = expect.toSatisfy((seen: number[]) =>
  seen.every((one) => one === 200 || one === 503),
)
/** Max memory of the server with the processes that parse for it. */
const MOST_MB = 600
/** Duration of one phase, on the server's own clock. */
const PHASE_MS = 6_000

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const p99 = (phases: readonly Phase[], of: 'wallMs' | 'ownMs') =>
  Math.round(
    quantile(
      phases.flatMap(({ probes }) => probes.map((probe) => probe[of])),
      0.99,
    ),
  )

/** One line for each phase: figures by the wall clock depend on the load of the machine. */
function report(phase: Phase): string {
  const { attacked, runsPerSecond, ownRunsPerSecond, ran, waited, memoryMb, wholeMb, parts } = phase
  const runs = `${Math.round(runsPerSecond)} runs/s, ${Math.round(ownRunsPerSecond)} by its own clock`
  const health = `/healthz p99 ${p99([phase], 'wallMs')} ms, ${p99([phase], 'ownMs')} ms by its own clock`
  const thread = `main thread ran ${percent(ran)}, waited for a processor ${percent(waited)}`
  return `${attacked ? 'attacked' : 'quiet'}: ${runs}; ${health}; ${thread}; at most ${memoryMb} MB so far, ${wholeMb} MB with its processes (${parts})`
}

/** The statuses of each attacker. */
function statusesOf(answers: readonly AttackAnswer[]): Record<string, (number | string)[]> {
  const byName = Object.groupBy(answers, ({ name }) => name)
  return Object.fromEntries(
    Object.entries(byName).map(([name, own = []]) => [name, [...new Set(own.map(({ status }) => status))]]),
  )
}

/** The number of attacks of each attacker, and their response times. */
function attackReport(answers: readonly AttackAnswer[]): string {
  const lines = Object.entries(Object.groupBy(answers, ({ name }) => name)).map(([name, own = []]) => {
    const median = quantile(
      own.map(({ ms }) => ms),
      0.5,
    )
    return `${name} ${own.length} times, median ${Math.round(median)} ms`
  })
  return `attacks: ${lines.join('; ')}`
}

async function alternate(load: LoadRun): Promise<{ quiet: Phase[]; attacked: Phase[] }> {
  const [quiet, attacked]: [Phase[], Phase[]] = [[], []]
  // The first phase warms the server up, including attackers.
  await load.phase(true, PHASE_MS / 2)
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await load.phase(false, PHASE_MS))
    attacked.push(await load.phase(true, PHASE_MS))
  }
  return { quiet, attacked }
}

test('concurrent attackers of every kind leave /healthz under 100 ms and agents 70 % of their runs', {
  timeout: 900_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-load-'))
  await using resources = new AsyncDisposableStack()
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const customer = await writeHostileCustomer(folder)
  const program = resources.use(await startProgram(folder, customer.env))
  const mcp = resources.use(await startHostileServer())
  const tools = Array.from({ length: 200 }, (_, n) => listed(`tool_${n}`, { inputSchema: WIDE }))
  mcp.on['tools/list'] = () => ({ tools })
  const documents = resources.use(await startDocumentServer())
  const target = await customer.target(program, { mcpUrl: mcp.url, documentUrl: documents.url })
  const load = resources.use(startLoad(program, customer.other, target))
  const { quiet, attacked } = await alternate(load)
  for (const phase of [...quiet, ...attacked]) console.log(report(phase))
  console.log(attackReport(load.answers))
  const { memoryMb, wholeMb } = attacked.at(-1) ?? { memoryMb: Number.NaN, wholeMb: Number.NaN }
  expect.soft(memoryMb).toBeLessThanOrEqual(MOST_MB)
  expect.soft(wholeMb).toBeLessThanOrEqual(MOST_MB)

  expect.soft(statusesOf(load.answers)).toEqual({
    spammer: [202],
    reviewOpener: [200],
    patternRunner: [200],
    bundleSender: [400],
    // 503 is allowed, but never a validation error.
    scriptRunner: STATUSES_OF_TRIALS,
    documentSender: STATUSES_OF_TRIALS,
    mcpNamer: STATUSES_OF_TRIALS,
    wrongSender: [400],
  })
  expect.soft(p99(attacked, 'ownMs')).toBeLessThanOrEqual(100)
  const shares = attacked.map(
    (phase, round) => phase.ownRunsPerSecond / (quiet[round]?.ownRunsPerSecond ?? 0),
  )
  expect.soft(quantile(shares, 0.5)).toBeGreaterThanOrEqual(0.7)
})
