import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { openScriptEngine } from './run-script.ts'
import type { ThreadAnswer, ThreadRequest } from './script.ts'

/**
 * A lower priority: scripts have a wall-clock limit, so they yield to runs and requests, but not to every other program
 * on the machine.
 */
const PRIORITY = 5

// Linux applies this to the thread only; other systems would apply it to the whole server.
if (process.platform === 'linux') setPriority(PRIORITY)
const engine = await openScriptEngine()
const send = (answer: ThreadAnswer) => parentPort?.postMessage(answer)

parentPort?.on('message', async (request: ThreadRequest) => {
  const done =
    request.kind === 'check'
      ? await engine.check(request.source)
      : await engine.run(request.script, request.input)
  send({ kind: 'done', ...done })
})
send({ kind: 'ready' })
