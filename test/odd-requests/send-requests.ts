import { request } from 'node:http'
import { Random } from './random.ts'
import type { OddRequest } from './requests.ts'
import { oddRequest } from './requests.ts'
import type { Target } from './target.ts'
import { type Caller, startTenants, type Tenants } from './tenants.ts'

const MAX_ANSWER_BYTES = 300_000
const MAX_BUSY_MS = 500
/**
 * Another process on the same cores multiplies a thread's CPU time: so the minimum of several attempts
 * counts.
 */
const ATTEMPTS = 3
/** How long an endless stream is read. */
const STREAM_MS = 150
/** Time limit of a response. */
const PATIENCE_MS = 60_000

/** The results of many requests. */
interface Outcome {
  seed: number
  sent: number
  /** Responses by status. */
  statuses: Record<string, number>
  /** A line for each request that broke a rule. */
  faults: string[]
  /** Tables whose rows of the other organization have changed. */
  changed: string[]
}

/** The number of `SEED`, or always the same. */
const seedOf = () => Number(process.env.SEED ?? 1)

/**
 * Starts a server and sends it this number of odd requests of each selected operation; their order and values follow
 * from the seed.
 */
export async function sendOddRequests(
  targetsOf: (tenants: Tenants) => Promise<readonly Target[]>,
  countOfEach: number,
): Promise<Outcome> {
  await using tenants = await startTenants()
  const seed = seedOf()
  const random = new Random(seed)
  const targets = await targetsOf(tenants)
  const before = await tenants.rowsOfOther()
  const outcome: Outcome = { seed, sent: 0, statuses: {}, faults: [], changed: [] }
  for (let round = 0; round < countOfEach; round += 1) {
    for (const target of targets) await sendOne(tenants, oddRequest(target, random, tenants), outcome)
  }
  const after = await tenants.rowsOfOther()
  const tables = new Set([...Object.keys(before), ...Object.keys(after)])
  outcome.changed = [...tables].filter((table) => before[table] !== after[table])
  return outcome
}

async function sendOne(tenants: Tenants, request: OddRequest, outcome: Outcome): Promise<void> {
  let busyMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && busyMs > MAX_BUSY_MS; attempt += 1) {
    outcome.sent += 1
    const { answer, ms } = await answerTo(tenants, request, outcome.sent)
    busyMs = Math.min(busyMs, ms)
    const { statusCode, text } = answer
    outcome.statuses[statusCode] = (outcome.statuses[statusCode] ?? 0) + 1
    const sent = `${request.url} ${textOf(request)}`
    const leak = tenants.leakIn(text, decoded(sent), request.caller)
    const faults = [
      ...(statusCode === 500 ? ['an error of the server'] : []),
      ...(statusCode === 0 ? ['no answer'] : []),
      ...(text.length > MAX_ANSWER_BYTES && text.length > 1.5 * sent.length ? [`${text.length} bytes`] : []),
      ...(leak === null ? [] : [`says ${leak}`]),
    ]
    for (const fault of faults) outcome.faults.push(lineOf(request, `${fault}: ${statusCode} ${text}`))
    // A text that the own organization has stored is its own, such as the id of a session.
    if (statusCode < 300) tenants.told(decoded(sent))
    if (statusCode === 401) tenants.renew(request.caller)
  }
  if (busyMs > MAX_BUSY_MS) outcome.faults.push(lineOf(request, `${Math.round(busyMs)} ms`))
}

async function answerTo(tenants: Tenants, odd: OddRequest, count: number) {
  const { target, caller, contentType, payload } = odd
  const own = target.callers === null && caller === 'nobody' ? target.headersOf(String(payload ?? '')) : {}
  const headers = {
    ...(await tenants.headersOf(caller)),
    ...own,
    ...(contentType && { 'content-type': contentType }),
    // Another network each time, because some limits count by address.
    'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
  }
  const before = process.threadCpuUsage()
  const answer = await sent(tenants.port, odd, headers)
  const { user, system } = process.threadCpuUsage(before)
  return { answer, ms: (user + system) / 1_000 }
}

/**
 * Over a socket, which streams need; the path is sent unchanged, unlike by `fetch`. The status is 0 without a complete
 * response.
 */
function sent(
  port: number,
  { target, method, url, payload }: OddRequest,
  headers: Record<string, string>,
): Promise<{ statusCode: number; text: string }> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const given = request({ host: '127.0.0.1', port, method, path: url, headers, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      const { statusCode = 0 } = response
      if (target.isEndless && statusCode === 200)
        setTimeout(() => {
          resolve({ statusCode, text })
          response.destroy()
        }, STREAM_MS)
      response.on('error', () => resolve({ statusCode: 0, text }))
      response.on('end', () => resolve({ statusCode: response.statusCode ?? 0, text }))
    })
    given.on('error', (error) => resolve({ statusCode: 0, text: String(error) }))
    given.end(payload ?? undefined)
  })
}

function decoded(text: string): string {
  try {
    return `${text} ${decodeURIComponent(text)}`
  } catch {
    return text
  }
}

/** The sent body, if it is text. */
function textOf({ payload }: OddRequest): string {
  return Buffer.isBuffer(payload) ? payload.toString('latin1') : (payload ?? '')
}

function lineOf(request: OddRequest, what: string): string {
  const { target, caller, method, url } = request
  const sent = `${method} ${url} ${textOf(request)}`
  return `${target.name}, ${caller satisfies Caller}: ${what.slice(0, 300)} <- ${sent.slice(0, 600)}`
}
