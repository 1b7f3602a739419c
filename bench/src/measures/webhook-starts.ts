import { createHmac } from 'node:crypto'
import { freePort } from '@troupe/test-kit/free-port'
import { Client } from 'undici'
import { type LoadResult, repeat } from '../load/closed-loop.ts'
import { median, spread } from '../load/statistics.ts'
import { startChild, untilReady } from '../targets/child.ts'
import { HOOK, HOOK_BODY } from '../targets/measured-webhook.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'

const ROUNDS = 3
const ROUND_MS = 2_000
const CALLERS = [1, 32]
/** The webhook's run calls no model. */
const NO_MODEL = 'http://127.0.0.1:9/v1'
/** The rate limit is 600 calls per minute and address: every caller changes its address before that. */
const CALLS_PER_ADDRESS = 500

/** Medians of one target and number of callers; times in milliseconds until the response 202. */
export interface WebhookRow {
  callers: number
  target: string
  startsPerSecond: number
  /** Slowest and fastest round. */
  range: [number, number]
  p50: number
  p99: number
  /** Median over the rounds of the rate relative to that of the bare route in the same round. */
  ofRoute: number
}

interface Target {
  name: string
  origin: string
  path: string
}

let addresses = 0

/** The next loopback address of this machine. */
function nextAddress(): string {
  addresses += 1
  return `127.${1 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** A caller with one connection, which changes its address before the rate limit. */
function webhookCaller({ origin, path }: Target): { call(): Promise<void> } & AsyncDisposable {
  let client = new Client(origin, { localAddress: nextAddress() })
  let left = CALLS_PER_ADDRESS
  return {
    async call() {
      if (left === 0) {
        await client.close()
        client = new Client(origin, { localAddress: nextAddress() })
        left = CALLS_PER_ADDRESS
      }
      left -= 1
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signature = createHmac('sha256', HOOK.signingSecret)
        .update(`${timestamp}.${HOOK_BODY}`)
        .digest('hex')
      const headers = {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': signature,
      }
      const { statusCode, body } = await client.request({ method: 'POST', path, headers, body: HOOK_BODY })
      const text = await body.text()
      if (statusCode !== 202) throw new Error(`${path} answered ${statusCode}: ${text}`)
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

async function load(target: Target, callers: number): Promise<LoadResult> {
  await using stack = new AsyncDisposableStack()
  const idle = Array.from({ length: callers }, () => stack.use(webhookCaller(target)))
  const once = async () => {
    const caller = idle.pop()
    if (!caller) throw new Error('more callers than connections')
    await caller.call()
    idle.push(caller)
  }
  return await repeat(once, callers, ROUND_MS)
}

/** Starts by a signed webhook, and a bare route that verifies the same signature and inserts the same row. */
export async function measureWebhookStarts(
  databaseUrls: readonly [string, string] | null,
): Promise<WebhookRow[]> {
  await using stack = new AsyncDisposableStack()
  const [bareUrl = null, troupeUrl = null] = databaseUrls ?? []
  const bareFolder = stack.use(await dataFolder())
  const port = await freePort()
  const bareStorage = bareUrl ? `postgres:${bareUrl}` : `pglite:${bareFolder.path}/bare`
  const bare = stack.use(startChild('bench/src/targets/bare-webhook.ts', [String(port), bareStorage], {}))
  const bareOrigin = `http://127.0.0.1:${port}`
  await untilReady(bare, `${bareOrigin}/ready`)
  const { path: folder } = stack.use(await dataFolder())
  const troupe = stack.use(await startTroupe({ folder, modelUrl: NO_MODEL, databaseUrl: troupeUrl }))
  const path = `/api/v1/workflows/${HOOK.id}/trigger/${HOOK.token}`
  const targets: Target[] = [
    { name: 'bare route', origin: bareOrigin, path: '/hook' },
    { name: 'Troupe', origin: troupe.origin, path },
  ]
  const rows: WebhookRow[] = []
  for (const target of targets) await load(target, 8)
  for (const callers of CALLERS) {
    const rounds: LoadResult[][] = targets.map(() => [])
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, target] of targets.entries()) rounds[at]?.push(await load(target, callers))
    }
    const floor = rounds[0]?.map(({ requestsPerSecond }) => requestsPerSecond) ?? []
    for (const [at, { name }] of targets.entries()) {
      const seen = rounds[at] ?? []
      const rates = seen.map(({ requestsPerSecond }) => requestsPerSecond)
      rows.push({
        callers,
        target: name,
        startsPerSecond: median(rates),
        range: spread(rates),
        p50: median(seen.map(({ p50 }) => p50)),
        p99: median(seen.map(({ p99 }) => p99)),
        ofRoute: median(rates.map((rate, round) => rate / (floor[round] ?? rate))),
      })
    }
  }
  return rows
}
