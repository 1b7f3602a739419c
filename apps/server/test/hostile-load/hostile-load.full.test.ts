import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from '../crash/program.ts'
import { writeHostileCustomer } from './hostile-customer.ts'
import { type Phase, startLoad } from './load-phases.ts'

const ROUNDS = 3
const PHASE_MS = 6_000

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

test('attackers of every kind at once leave the server its health and its agents 70 % of their runs', {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-load-'))
  await using resources = new AsyncDisposableStack()
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const customer = await writeHostileCustomer(folder)
  const program = resources.use(await startProgram(folder, { ...customer.env, LOG_LEVEL: 'warn', ...JSON.parse(process.env.LOAD_ENV ?? '{}') }))
  const target = await customer.target(program)
  const load = resources.use(startLoad(program, customer.agentId, target))
  await load.phase(false, 2_000)
  const phases: Phase[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    phases.push(await load.phase(false, PHASE_MS), await load.phase(true, PHASE_MS))
  }
  await load.phase(false, 500)
  for (const p of phases) {
    const wall = p.probes.map((x) => x.wallMs); const own = p.probes.map((x) => x.ownMs)
    console.log(p.attacked ? 'attacked' : 'quiet   ', `runs/s ${p.runsPerSecond.toFixed(0)} own ${p.ownRunsPerSecond.toFixed(0)} ran ${(p.ran*100).toFixed(0)}% waited ${(p.waited*100).toFixed(0)}% | healthz n=${wall.length} p50 ${quantile(wall,.5).toFixed(0)} p99 ${quantile(wall,.99).toFixed(0)} max ${Math.max(...wall).toFixed(0)} own p50 ${quantile(own,.5).toFixed(0)} p99 ${quantile(own,.99).toFixed(0)} max ${Math.max(...own).toFixed(0)}`)
  }
  const by: Record<string, { n: number; status: Record<string, number>; ms: number[] }> = {}
  for (const a of load.answers) { const e = (by[a.name] ??= { n: 0, status: {}, ms: [] }); e.n++; e.status[a.status] = (e.status[a.status] ?? 0) + 1; e.ms.push(a.ms) }
  for (const [k, e] of Object.entries(by)) console.log(k, e.n, JSON.stringify(e.status), `p50 ${quantile(e.ms, 0.5).toFixed(0)} max ${Math.max(...e.ms).toFixed(0)}`)
  console.log(program.output().slice(-6000))
  await load[Symbol.asyncDispose]()
  if (process.env.LOAD_ENV) console.log(await program.end('SIGTERM'))
  const rate = (attacked: boolean) => mean(phases.filter((p) => p.attacked === attacked).map((p) => p.ownRunsPerSecond))
  expect(rate(true) / rate(false)).toBeGreaterThan(0.7)
})
