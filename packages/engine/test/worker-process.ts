import { setTimeout as pause } from 'node:timers/promises'
import { createRestateEngine, type RestateEngineOptions } from '../src/restate/restate-engine.ts'

// A worker in a separate process, to be killed: it prints its deliveries and never completes them.

const engine = createRestateEngine(JSON.parse(process.argv[2] ?? '{}') as RestateEngineOptions)
await engine.start(async ({ runId, slice }) => {
  process.stdout.write(`taken ${runId} ${slice}\n`)
  await new Promise(() => {})
})
while (!(await engine.health()).healthy) await pause(10)
process.stdout.write('registered\n')
