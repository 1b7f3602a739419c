import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { unusedPort } from '../servers/unused-ports.ts'

export type CarrierScenario =
  | 'answer'
  | 'hang-up'
  | 'final'
  | 'early-media'
  | 'early-media-final'
  | 'ring'
  | 'late-answer'
  | 'digest'
  | 'proxy-digest'

/** Values of keys that are irrelevant to a test. */
const KEYS = { rtp: '9', ringing: '500' }
const SCENARIOS = join(import.meta.dirname, '../../sipp')

/** A carrier that is waiting for one call. */
export interface Carrier extends AsyncDisposable {
  /** `host:port`, for a trunk. */
  readonly address: string
  /** Resolves when the INVITE has arrived. */
  readonly invited: Promise<void>
  /** The caller's audio port in its INVITE. */
  offeredPort(): Promise<number>
  /** Resolves when the scenario ran as written; otherwise rejects with SIPp's message. */
  readonly ended: Promise<void>
  /** The time of its last final response to the INVITE, in milliseconds since the epoch. Throws when it sent no refusal. */
  finalSentAt(): Promise<number>
}

/**
 * Starts SIPp with a scenario of `sipp/` for one call, on the port or a free one. Keys fill the scenario's placeholders; see the comment in
 * its file.
 */
export async function startCarrier(
  scenario: CarrierScenario,
  keys: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<Carrier> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-carrier-'))
  const ownPort = port ?? (await unusedPort())
  const messages = join(folder, 'messages.log')
  const file = join(folder, 'scenario.xml')
  await writeFile(
    file,
    filled(await readFile(join(SCENARIOS, `${scenario}.xml`), 'utf8'), { ...KEYS, ...keys }),
  )
  const child = spawn(
    'sipp',
    [
      ...['-sf', file],
      ...['-i', '127.0.0.1', '-p', String(ownPort), '-m', '1', '-nostdin'],
      ...['-timeout', '90s', '-timeout_error', '-trace_msg', '-message_file', messages],
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let errors = ''
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-2_000)
  })
  const exited = once(child, 'exit')
  let isOver = false
  const ended = exited.then(async ([code]) => {
    isOver = true
    const log = await readFile(messages, 'utf8').catch(() => '')
    if (code !== 0) throw new Error(`SIPp's ${scenario} failed with ${code}: ${errors}\n${log.slice(-3_000)}`)
  })
  ended.catch(() => {})
  // SIPp does not report that it is listening, but its message file exists once it is.
  const invited = (async () => {
    while (!isOver) {
      if ((await readFile(messages, 'utf8').catch(() => '')).includes('INVITE sip:')) return
      await pause(20)
    }
  })()
  await isBound(ownPort, () => isOver)
  return {
    address: `127.0.0.1:${ownPort}`,
    invited,
    ended,
    offeredPort: async () => {
      await invited
      const [, offered] = /^m=audio (\d+) /m.exec(await readFile(messages, 'utf8')) ?? []
      if (offered === undefined) throw new Error('The INVITE offers no audio.')
      return Number(offered)
    },
    finalSentAt: async () => finalSentAt(await readFile(messages, 'utf8')),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await invited
      await ended.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** SIPp has keys of its own, but does not support them in a status line. */
function filled(scenario: string, keys: Readonly<Record<string, string>>): string {
  return Object.entries(keys).reduce((text, [key, value]) => text.replaceAll(`[${key}]`, value), scenario)
}

/** SIPp writes a line of dashes with the local time above each message. */
function finalSentAt(log: string): number {
  const sent =
    /^-+ (\d{4}-\d{2}-\d{2})[ T\t]([\d:]+\.\d{3})\d*.*\nUDP message sent.*\n\nSIP\/2\.0 [3-6]\d\d /gm
  const [, day, time] = [...log.matchAll(sent)].at(-1) ?? []
  if (day === undefined) throw new Error(`No final response was sent: ${log.slice(-2_000)}`)
  return Date.parse(`${day}T${time}`)
}

/** Waits until a process has bound the UDP port. */
async function isBound(port: number, isOver: () => boolean): Promise<void> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  while (!isOver()) {
    if ((await readFile('/proc/net/udp', 'utf8')).includes(`0100007F:${hex} `)) return
    await pause(10)
  }
}
