import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Beside the lock: names the owner for people. It proves nothing: after a crash, or in a copied folder, it is out of date. */
const OWNER = 'owner.json'
/** Larger than any owner file. */
const MAX_BYTES = 2_000

/** The owner's description of itself. */
interface Owner {
  /** In the owner's PID namespace. */
  pid: number
  host: string
  /** ISO 8601. */
  since: string
  /** Whether the owner's host or PID namespace differs from this process's, so that its pid is meaningless here. */
  isElsewhere: boolean
}

/** Describes this process, the owner. A description that cannot be written, as on a full disk, is omitted. */
export function writeOwner(folder: string): void {
  const path = join(folder, OWNER)
  const draft = `${path}.draft`
  const owner = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    pidNamespace: pidNamespace(),
  }
  try {
    writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    remove(path)
    remove(draft)
  }
}

/** Removes the description when its owner releases the folder. */
export function removeOwner(folder: string): void {
  remove(join(folder, OWNER))
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next owner overwrites it.
  }
}

/** null if the owner has no readable description. */
export function readOwner(folder: string): Owner | null {
  try {
    const text = readFileSync(join(folder, OWNER), 'utf8')
    if (text.length > MAX_BYTES) return null
    const { pid, host, since, pidNamespace: namespace } = JSON.parse(text)
    if (!Number.isSafeInteger(pid) || typeof host !== 'string' || typeof since !== 'string') return null
    return { pid, host, since, isElsewhere: host !== hostname() || namespace !== pidNamespace() }
  } catch {
    return null
  }
}

/** Linux only; other systems have a single namespace. */
function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}
