import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mediaEnvironment } from '../environment/media-environment.ts'
import { goBuild } from './go-build.ts'

const run = promisify(execFile)

/** The version in `livekit-server/go.mod`, as the program prints it. */
const LIVEKIT_VERSION = '1.13.5'

const PACKAGE = join(import.meta.dirname, '../..')
const LIVEKIT_MODULE = join(PACKAGE, 'livekit-server')
const BRIDGE_MODULE = join(PACKAGE, 'bridge-standin')

/** Paths of the programs of the media servers. */
export interface MediaBinaries {
  livekitServer: string
  bridge: string
}

export interface BuildOptions {
  /** Called with a line for a person before something takes minutes. */
  report: (line: string) => void
  /** Yields the processor to others: one compiler at a time, at the lowest priority. */
  inBackground: boolean
}

/**
 * Finds livekit-server and the stand-in for the SIP bridge, or builds them with Go, once for each version: about five minutes of one
 * processor. Versions and hashes of all modules are those of the `go.sum` files. Null when they are missing and there is no Go 1.26.
 */
export async function ensureBinaries(options: BuildOptions): Promise<MediaBinaries | null> {
  const found = await findBinaries()
  if (found !== null) return found
  if (!(await hasGo())) return null
  const livekitServer = (await installed()) ?? (await built(await livekitPlace(), options))
  const bridge = await built(await bridgePlace(), options)
  return { livekitServer, bridge }
}

/** The existing programs on this machine, without building anything; null when one is missing. */
export async function findBinaries(): Promise<MediaBinaries | null> {
  const livekitServer = (await installed()) ?? (await existing((await livekitPlace()).file))
  const bridge = await existing((await bridgePlace()).file)
  return livekitServer === null || bridge === null ? null : { livekitServer, bridge }
}

interface Place {
  name: string
  module: string
  /** The package to build in the module, by its Go name. */
  target: string
  file: string
}

const livekitPlace = () =>
  placeOf('livekit-server', LIVEKIT_MODULE, 'github.com/livekit/livekit-server/cmd/server')
const bridgePlace = () => placeOf('bridge-standin', BRIDGE_MODULE, '.')

/** Every version and every change of the sources has a separate file. */
async function placeOf(name: string, module: string, target: string): Promise<Place> {
  const hash = createHash('sha256')
  for (const file of (await readdir(module)).sort()) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(module, file)))
  }
  const key = hash.digest('hex').slice(0, 16)
  const folder = mediaEnvironment().cacheFolder ?? join(homedir(), '.cache', 'troupe', 'media')
  return { name, module, target, file: join(folder, `${name}-${process.platform}-${process.arch}-${key}`) }
}

async function built(place: Place, options: BuildOptions): Promise<string> {
  const there = await existing(place.file)
  if (there !== null) return there
  options.report(
    `Building ${place.name}: the first time this takes some minutes. It is kept in ${place.file}.`,
  )
  await mkdir(join(place.file, '..'), { recursive: true })
  // Two processes may build simultaneously; each moves a complete program into place.
  const unfinished = `${place.file}.${randomUUID()}`
  await goBuild({ ...place, file: unfinished, inBackground: options.inBackground })
  await rename(unfinished, place.file)
  return place.file
}

async function existing(file: string): Promise<string | null> {
  try {
    await access(file)
    return file
  } catch {
    return null
  }
}

/** A livekit-server of the right version on the PATH. */
async function installed(): Promise<string | null> {
  return (await output('livekit-server', ['--version'])).includes(`version ${LIVEKIT_VERSION}`)
    ? 'livekit-server'
    : null
}

async function hasGo(): Promise<boolean> {
  const version = /go1\.(\d+)/.exec(await output('go', ['version']))
  return version !== null && Number(version[1]) >= 26
}

async function output(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(program, args)).stdout
  } catch {
    return ''
  }
}
