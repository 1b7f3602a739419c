import { parentPort } from 'node:worker_threads'
import { openScriptEngine } from './run-script.ts'
import type { ThreadAnswer, ThreadRequest } from './script.ts'

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
