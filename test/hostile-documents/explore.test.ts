import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { bodyTargets } from './bodies.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { HOSTILE_BODIES } from './hostile-values.ts'
import { Stillness } from './stillness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('explore', { timeout: 3_000_000 }, async () => {
  await using stillness = new Stillness()
  const targets = await bodyTargets(server)
  const only = process.env.ONLY ? new RegExp(process.env.ONLY) : /./
  const every = Number(process.env.EVERY ?? 1)
  let ip = 0,
    n = 0
  const log = (line: string) => appendFileSync('/tmp/explore.log', line + '\n')
  log(`targets ${targets.length}: ${targets.map((t) => t.name).join(', ')}`)
  const idle = process.memoryUsage.rss() / 1048576
  const started = Date.now()
  for (const target of targets) {
    if (!only.test(target.name)) continue
    let k = 0
    const t0 = Date.now()
    for (const doc of [
      ...HOSTILE_BODIES.map((d) => ({ ...d, place: '' })),
      ...hostileDocuments(target.schema, target.base, target.known),
    ]) {
      if (k++ % every !== 0) continue
      n++
      await new Promise((r) => setTimeout(r, 3))
      stillness.take()
      const before = process.memoryUsage.rss() / 1048576
      const cpu = process.threadCpuUsage()
      const answer = await server.app.inject({
        method: target.method as 'POST',
        url: target.url,
        remoteAddress: `10.${(ip++ >> 16) & 255}.${(ip >> 8) & 255}.${ip & 255}`,
        headers: { 'content-type': target.contentType, ...target.headersOf(doc.json) },
        payload: doc.json,
      })
      const spent = process.threadCpuUsage(cpu)
      await new Promise((r) => setTimeout(r, 3))
      const seen = stillness.take()
      const ms = (spent.user + spent.system) / 1000
      const bad =
        answer.statusCode >= 500 ||
        answer.rawPayload.length > 300_000 ||
        seen.silentMs > 150 ||
        ms > 200 ||
        seen.memoryMb - before > 60
      log(
        `${bad ? 'BAD' : 'ok'} ${target.name} | ${doc.name} | ${answer.statusCode} ${answer.rawPayload.length} B silent ${seen.silentMs.toFixed(0)} cpu ${ms.toFixed(0)} mem +${(seen.memoryMb - before).toFixed(0)} of ${before.toFixed(0)} ${answer.statusCode >= 400 ? answer.payload.slice(0, 100) : ''}`,
      )
    }
    log(`# ${target.name} ${k} docs ${Date.now() - t0} ms`)
  }
  log(`total ${n} in ${Date.now() - started} idle ${idle}`)
  expect(1).toBe(1)
})
