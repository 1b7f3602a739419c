import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Program } from '../crash/program.ts'
import { ATTACKS, type AttackTarget, EVERY_MS } from './attacks.ts'
import type { Probe } from './health-probe.ts'
import { watchMemory } from './memory-watch.ts'
import { mainThreadTime, ownClock, timeBetween } from './thread-time.ts'

const CALLERS = 4

/** Measurements of one phase. */
export interface Phase {
  attacked: boolean
  /** Agent runs per second of the wall clock. */
  runsPerSecond: number
  /** The same without the time in which the server's main thread was ready to run but had no processor. */
  ownRunsPerSecond: number
  /** Shares of the wall clock in which the server's main thread worked, and waited for a processor. */
  ran: number
  waited: number
  probes: Probe[]
  /** The peak memory (RSS) of the server's process so far, in MB. */
  memoryMb: number
  /** The peak total memory of it and its child processes so far, in MB. */
  wholeMb: number
  /** Each of them with its memory at that moment. */
  parts: string
}

/** A response to an attacker: a status, or the error. */
export interface AttackAnswer {
  name: string
  status: number | string
  ms: number
}

/** A server under observation, with its attackers. Disposing ends their processes. */
export interface LoadRun extends AsyncDisposable {
  /** Calls agents for this time, on the server's own clock. */
  phase(attacked: boolean, milliseconds: number): Promise<Phase>
  answers: AttackAnswer[]
}

function childOf(file: string, args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: [], stdio: 'inherit' })
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  if (child.exitCode === null && child.kill('SIGKILL')) await ended
}

/** Starts the attackers, idle at first, and the health probe. */
export function startLoad(
  program: Program,
  caller: { agentId: string; key: string },
  target: AttackTarget,
): LoadRun {
  const answers: AttackAnswer[] = []
  let probes: Probe[] = []
  const prober = childOf('./health-probe.ts', [program.origin, String(program.pid)])
  prober.on('message', (probe: Probe) => probes.push(probe))
  const attackers = Object.keys(ATTACKS).map((name, index, { length }) =>
    childOf('./attacker.ts', [name, JSON.stringify(target), String((index * EVERY_MS) / length)]),
  )
  for (const attacker of attackers) attacker.on('message', (answer: AttackAnswer) => answers.push(answer))

  const memory = watchMemory(program.pid)
  const runOnce = async () => {
    const response = await fetch(`${program.origin}/api/v1/agents/${caller.agentId}/run`, {
      method: 'POST',
      headers: { 'x-api-key': caller.key, 'content-type': 'application/json' },
      body: '{"message":"Hello"}',
    })
    if (response.status !== 200)
      throw new Error(`a run was answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  }
  return {
    answers,
    async phase(attacked, milliseconds) {
      for (const attacker of attackers) attacker.send(attacked)
      probes = []
      const before = mainThreadTime(program.pid)
      const own = ownClock(program.pid)
      const startedAt = performance.now()
      let runs = 0
      const calls = async () => {
        while (own() < milliseconds) {
          await runOnce()
          runs += 1
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, calls))
      const elapsed = performance.now() - startedAt
      const { ranMs, waitedMs } = timeBetween(before, mainThreadTime(program.pid))
      return {
        attacked,
        runsPerSecond: (runs / elapsed) * 1_000,
        ownRunsPerSecond: (runs / (elapsed - waitedMs)) * 1_000,
        ran: ranMs / elapsed,
        waited: waitedMs / elapsed,
        probes,
        ...memory.most(),
      }
    },
    async [Symbol.asyncDispose]() {
      memory[Symbol.dispose]()
      await Promise.all([prober, ...attackers].map(end))
    },
  }
}
