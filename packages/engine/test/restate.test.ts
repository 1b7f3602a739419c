import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { EngineUnreachable, type RunEngine } from '@troupe/durable-work'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { createRestateEngine, type RestateEngineOptions } from '../src/restate/restate-engine.ts'
import { startBalancer } from '../src/testing/balancer.ts'
import { startRestateServer } from '../src/testing/restate-server.ts'
import { runEngineContract, startEngine } from './contract.ts'
import { Recorder } from './recorder.ts'

const server = await startRestateServer()
const WORKER_PROCESS = fileURLToPath(new URL('./worker-process.ts', import.meta.url))

describe.skipIf(!server)('Restate', () => {
  if (!server) return
  const opened: RunEngine[] = []
  const children: ChildProcess[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child)
    for (const engine of opened.splice(0)) await engine[Symbol.asyncDispose]()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** One port for all tests, so that Restate knows one worker, and deliveries left by one test are accepted by the next. */
  let port = 0
  async function options(
    worker: Partial<RestateEngineOptions['worker']> = {},
  ): Promise<RestateEngineOptions> {
    port ||= await freePort()
    const { ingressUrl, adminUrl } = server ?? { ingressUrl: '', adminUrl: '' }
    const address = { host: '127.0.0.1', port, advertisedUrl: `http://127.0.0.1:${port}`, concurrency: 64 }
    return { ingressUrl, adminUrl, worker: { ...address, ...worker } }
  }
  function open(settings: RestateEngineOptions): RunEngine {
    const engine = createRestateEngine(settings)
    opened.push(engine)
    return engine
  }
  const openSender = async () => open({ ...(await options()), worker: null })

  async function startProcess(settings: RestateEngineOptions): Promise<() => string> {
    const child = spawn(process.execPath, [WORKER_PROCESS, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    await vi.waitFor(() => expect(output).toContain('registered'), { timeout: 15_000, interval: 10 })
    return () => output
  }
  async function kill(child: ChildProcess | undefined): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  runEngineContract(async ({ concurrency }) => createRestateEngine(await options({ concurrency })))

  test('completed deliveries are remembered: the same turn is not taken again', async () => {
    const engine = open(await options())
    const worker = await startEngine(engine)
    const [delivery, marker] = [worker.delivery(), worker.delivery()]
    await engine.dispatch(delivery)
    await worker.untilEnded(1)
    await engine.dispatch(delivery)
    await engine.dispatch(marker)
    await worker.untilTaken(marker)
    expect(worker.timesTaken(delivery)).toBe(1)
  })

  test('a process that only dispatches reaches the worker of another one, and withdraws deliveries of another one', async () => {
    const sender = await openSender()
    const engine = open(await options())
    const worker = await startEngine(engine)
    const [dropped, delivery] = [worker.delivery(), worker.delivery()]
    const dueAt = Date.now() + 300
    await engine.dispatch(dropped, { dueAt })
    await sender.drop(dropped)
    await sender.dispatch(delivery, { dueAt })
    await worker.untilTaken(delivery)
    expect(worker.timesTaken(dropped)).toBe(0)
    await expect(sender.start(async () => {})).rejects.toThrow('without a worker address')
  })

  test('two workers behind one address share the deliveries', async () => {
    const [first, second] = [await freePort(), await freePort()]
    await using balancer = await startBalancer([first, second])
    const shared = { advertisedUrl: balancer.url, concurrency: 500 }
    const engines = [
      open(await options({ ...shared, port: first })),
      open(await options({ ...shared, port: second })),
    ]
    const source = new Recorder()
    const deliveries = Array.from({ length: 300 }, () => source.delivery())
    const ours = new Set(deliveries.map(({ runId }) => runId))
    const held = Promise.withResolvers<void>()
    const taken = [new Set<string>(), new Set<string>()]
    for (const [at, engine] of engines.entries()) {
      await engine.start(async ({ runId }) => {
        if (!ours.has(runId)) return
        taken[at]?.add(runId)
        await held.promise
      })
    }
    await vi.waitFor(async () => expect(await engines[1]?.health()).toEqual({ healthy: true }), {
      timeout: 10_000,
    })
    await Promise.all(deliveries.map((delivery) => engines[0]?.dispatch(delivery)))
    const sizes = () => taken.map(({ size }) => size)
    const all = vi.waitFor(() => expect((sizes()[0] ?? 0) + (sizes()[1] ?? 0)).toBe(300), { timeout: 15_000 })
    await all.finally(held.resolve)
    for (const size of sizes()) expect(size).toBeGreaterThan(20)
  })

  test('the work of a killed worker is taken over by another', async () => {
    const [first, second] = [await freePort(), await freePort()]
    await using balancer = await startBalancer([first, second])
    const output = await startProcess(
      await options({ advertisedUrl: balancer.url, port: first, concurrency: 500 }),
    )
    const survivor = open(await options({ advertisedUrl: balancer.url, port: second }))
    const sender = await openSender()
    const worker = new Recorder()
    const delivery = worker.delivery()
    await sender.dispatch(delivery)
    await vi.waitFor(() => expect(output()).toContain(`taken ${delivery.runId} 0`), { timeout: 10_000 })
    await survivor.start(worker.advance)
    await kill(children[0])
    await worker.untilEnded(1)
    expect(worker.ended).toEqual([delivery])
  })

  test('the work of a killed worker is taken over by its successor', async () => {
    const settings = await options({ concurrency: 500 })
    const output = await startProcess(settings)
    const sender = await openSender()
    const worker = new Recorder()
    const delivery = worker.delivery()
    await sender.dispatch(delivery)
    await vi.waitFor(() => expect(output()).toContain(`taken ${delivery.runId} 0`), { timeout: 10_000 })
    await kill(children[0])
    await open(settings).start(worker.advance)
    await worker.untilEnded(1)
    expect(worker.ended).toEqual([delivery])
  })

  test('a draining worker leaves waiting deliveries to its successor', async () => {
    const engine = open(await options({ concurrency: 1 }))
    const worker = await startEngine(engine)
    const { delivery, release } = worker.heldDelivery()
    const waiting = worker.delivery()
    await engine.dispatch(delivery)
    await worker.untilTaken(delivery)
    await engine.dispatch(waiting)
    const draining = engine.drain()
    release()
    await draining
    expect(worker.ended).toEqual([delivery])
    // Its slice has ended, and the next one may go to another worker.
    const next = { ...delivery, slice: 1 }
    await engine.dispatch(next)
    await open(await options()).start(worker.advance)
    await worker.untilEnded(3)
    expect(new Set(worker.ended)).toEqual(new Set([delivery, waiting, next]))
  })

  // Measures durations, which a busy machine stretches.
  test('while Restate is down, dispatch fails immediately; afterwards everything continues', {
    retry: 2,
  }, async () => {
    const engine = open(await options())
    const worker = await startEngine(engine)
    const [before, lost, after] = [worker.delivery(), worker.delivery(), worker.delivery()]
    await engine.dispatch(before, { dueAt: Date.now() + 700 })
    await server.kill()
    const startedAt = Date.now()
    const failure = await engine.dispatch(lost).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EngineUnreachable)
    expect(String(failure)).toBe(
      `EngineUnreachable: The engine's ingress at ${server.ingressUrl} cannot be reached (ECONNREFUSED).`,
    )
    expect(Date.now() - startedAt).toBeLessThan(3_500)
    await engine.drop(lost)
    expect(await engine.health()).toMatchObject({ healthy: false })
    await server.restart()
    await vi.waitFor(async () => expect(await engine.health()).toEqual({ healthy: true }), {
      timeout: 10_000,
    })
    await engine.dispatch(after)
    await worker.untilEnded(2)
    expect(new Set(worker.ended)).toEqual(new Set([before, after]))
  })

  // Measures durations, which a busy machine stretches.
  test('a Restate that accepts the connection and never responds is abandoned after the timeout', {
    retry: 2,
  }, async () => {
    const connections = new Set<Socket>()
    const mute = createServer((socket) => connections.add(socket)).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
    const engine = open({ ingressUrl: url, adminUrl: url, worker: null, sendTimeoutMs: 150 })
    const startedAt = Date.now()
    await expect(engine.dispatch(new Recorder().delivery())).rejects.toThrow('did not answer in time')
    expect(await engine.health()).toEqual({
      healthy: false,
      reason: `The engine's ingress at ${url} did not answer in time.`,
    })
    expect(Date.now() - startedAt).toBeLessThan(1_500)
    for (const connection of connections) connection.destroy()
    await once(mute.close(), 'close')
  })

  test('a worker boots while Restate is down, and registers when it is back', async () => {
    await server.stop()
    const log = { info: vi.fn(), warn: vi.fn() }
    const engine = open({ ...(await options()), log })
    const worker = new Recorder()
    await engine.start(worker.advance)
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1))
    expect(await engine.health()).toEqual({
      healthy: false,
      reason: `The engine's ingress at ${server.ingressUrl} cannot be reached (ECONNREFUSED).`,
    })
    await server.restart()
    await vi.waitFor(async () => expect(await engine.health()).toEqual({ healthy: true }), {
      timeout: 10_000,
    })
    const delivery = worker.delivery()
    await engine.dispatch(delivery)
    await worker.untilEnded(1)
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(log.info).toHaveBeenCalledExactlyOnceWith(
      { worker: `http://127.0.0.1:${port}` },
      'registered with the engine',
    )
  })

  test('a worker accepts calls only from a Restate with a known key', async () => {
    const engine = open({ ...(await options()), identityKeys: [server.identityKey] })
    const worker = await startEngine(engine)
    const delivery = worker.delivery()
    await engine.dispatch(delivery)
    await worker.untilEnded(1)
    await engine.drain()
    const stranger = 'publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9'
    const suspicious = open({ ...(await options()), identityKeys: [stranger] })
    await suspicious.start(worker.advance)
    await vi.waitFor(async () => {
      expect(await suspicious.health()).toEqual({
        healthy: false,
        reason: expect.stringMatching(
          /^This worker is not registered with the engine: .* answered with status \d+/,
        ),
      })
    })
  })

  test('a port in use stops the start with an error message', async () => {
    const first = open(await options())
    await startEngine(first)
    await expect(open(await options()).start(async () => {})).rejects.toThrow(
      `The worker cannot listen for Restate: port ${port} on 127.0.0.1 is in use by another program.`,
    )
  })
})
