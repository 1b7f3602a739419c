import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type FileLock, takeFileLock } from '@troupe/file-locks'

export const ROOT = join(import.meta.dirname, '..', '..')
/** The base and the layers of its image are kept for the next run. */
export const CACHE = join(homedir(), '.cache', 'troupe', 'image')
export const BASE = `localhost/troupe-base:${process.versions.node}`
export const IMAGE = 'localhost/troupe-under-test:1'
const MINUTE = 60_000
/** How long to wait for the runs of other checkouts. */
const OTHERS_MS = 10 * MINUTE

/** Options of every container. Without the limits nothing starts if those of this machine are lower than the container engine's. */
export const CONFINEMENT = [
  ...['--no-healthcheck', '--network', 'host', '--memory', '512m'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
  ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
]

/** This machine cannot build or run containers, independent of the checkout. The message is the reason. */
export class MachineError extends Error {
  override readonly name = 'MachineError'
}

/** The output and exit code of a program; an exit code never throws. */
export interface Ended {
  code: number
  out: string
  err: string
}

export function run(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        resolve({ code, out: String(out), err: String(err) || (error?.message ?? '') })
      },
    )
  })
}

/** The missing programs for building and running the image. */
export function missingPrograms(): string[] {
  const programs = ['podman', 'buildah', 'runc', 'mmdebstrap'].filter((name) => {
    try {
      execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
  return process.getuid?.() === 0 ? programs : [...programs, 'root']
}

/**
 * Podman with a separate storage, so that images of this machine are untouched. Checkouts share the storage one after the other: a
 * lock separates the tags and layers of the runs.
 */
export class Podman implements Disposable {
  readonly #lock: FileLock
  readonly #storage: readonly string[]
  private constructor(driver: string, lock: FileLock) {
    this.#lock = lock
    const root = join(CACHE, `storage-${driver}`)
    // The storage records the second folder, so its name is constant.
    const runRoot = join(tmpdir(), `troupe-podman-${driver}`)
    this.#storage = ['--root', root, '--runroot', runRoot, '--storage-driver', driver]
  }

  /**
   * Waits for the lock, and selects the fastest driver that works here.
   *
   * @throws MachineError when there is no folder, no lock or no driver
   */
  static async open(): Promise<Podman> {
    const lock = await lockCache()
    const reasons = []
    for (const driver of ['overlay', 'vfs']) {
      const podman = new Podman(driver, lock)
      const { code, err } = await podman.podman(['info'])
      if (code === 0) return podman
      reasons.push(`${driver}: ${err.trim().slice(-1_000)}`)
    }
    lock[Symbol.dispose]()
    throw new MachineError(`podman works with no storage driver here.\n${reasons.join('\n')}`)
  }

  podman(args: readonly string[], options: ExecFileOptions = {}): Promise<Ended> {
    return run('podman', [...this.#storage, '--runtime', 'runc', ...args], options)
  }

  /** A wrapper of podman with this storage, for programs that call podman by name. */
  writeProgram(path: string): void {
    const settings = `${path}.conf`
    // Without the limits nothing starts if those of this machine are lower; the file replaces /etc/containers/containers.conf.
    writeFileSync(
      settings,
      '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[network]\nnetwork_backend = "cni"\n',
    )
    const args = [...this.#storage, '--runtime', 'runc'].map((arg) => `'${arg}'`).join(' ')
    writeFileSync(path, `#!/bin/sh\nCONTAINERS_CONF='${settings}' exec podman ${args} "$@"\n`, {
      mode: 0o755,
    })
  }

  /** @throws Error with the end of the output */
  async buildah(args: readonly string[]): Promise<void> {
    const { code, out, err } = await run('buildah', [...this.#storage, ...args], { timeout: 10 * MINUTE })
    if (code !== 0) throw new Error(`buildah ended with ${code}:\n${(out + err).slice(-4_000)}`)
  }

  /** Releases the storage for the next run. */
  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]()
  }
}

async function lockCache(): Promise<FileLock> {
  let lock: FileLock | null
  try {
    mkdirSync(CACHE, { recursive: true })
    lock = await takeFileLock(join(CACHE, 'lock'), OTHERS_MS)
  } catch (error) {
    throw new MachineError(`${CACHE} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
  if (lock === null)
    throw new MachineError(`another run has used ${CACHE} for ${OTHERS_MS / MINUTE} minutes.`)
  return lock
}

/** Mounts an empty file system. Disposing unmounts it. @throws MachineError if this process may not mount */
export function mountTmpfs(path: string, options: string): Disposable {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new MachineError(`nothing can be mounted here: ${error instanceof Error ? error.message : error}`)
  }
  return { [Symbol.dispose]: () => execFileSync('umount', [path]) }
}

/**
 * Tries the steps of the test with the base alone, so that a later failure is caused by the image.
 *
 * @param folder an empty one
 * @throws MachineError
 */
export async function probe(podman: Podman, folder: string): Promise<void> {
  {
    using _mounted = mountTmpfs(folder, 'size=1m')
  }
  const { code, out, err } = await podman.podman(
    ['run', '--rm', ...CONFINEMENT, '-v', `${folder}:/data`, BASE, 'node', '--version'],
    { timeout: MINUTE },
  )
  if (code !== 0) throw new MachineError(`podman runs no container here:\n${(out + err).slice(-2_000)}`)
}

/**
 * Creates the base of the image, once for each version of Node: a Debian with the running Node and the machine's npm, like the
 * official image.
 *
 * @throws MachineError: nothing in it comes from the checkout
 */
export async function buildBase(podman: Podman): Promise<void> {
  if ((await podman.podman(['image', 'exists', BASE])).code === 0) return
  const archive = join(CACHE, 'bookworm.tar')
  if (!existsSync(archive)) {
    const draft = `${archive}.${process.pid}.tar`
    const include = '--include=ca-certificates,tzdata'
    const made = await run('mmdebstrap', ['--variant=minbase', include, 'bookworm', draft], {
      timeout: 10 * MINUTE,
    })
    if (made.code !== 0)
      throw new MachineError(`mmdebstrap ended with ${made.code}:\n${made.err.slice(-2_000)}`)
    renameSync(draft, archive)
  }
  const context = mkdtempSync(join(tmpdir(), 'troupe-base-'))
  try {
    cpSync(archive, join(context, 'base.tar'))
    cpSync(realpathSync(process.execPath), join(context, 'node'))
    cpSync(dirname(dirname(realpathSync(npmProgram()))), join(context, 'npm'), { recursive: true })
    const link = (name: string) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`
    writeFileSync(
      join(context, 'Dockerfile'),
      [
        'FROM scratch',
        'ADD base.tar /',
        'COPY node /usr/local/bin/node',
        'COPY npm /usr/local/lib/node_modules/npm',
        `RUN ${link('npm')} && ${link('npx')}`,
        '',
      ].join('\n'),
    )
    await podman.buildah(['bud', '--isolation=chroot', '-t', BASE, context])
  } catch (error) {
    throw new MachineError(error instanceof Error ? error.message : String(error))
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

function npmProgram(): string {
  return process.env.npm_execpath ?? execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
}

/** Builds the image of the server from this checkout on the base, with npm's cache and the certificates of this machine. */
export async function buildImage(podman: Podman): Promise<void> {
  const cache = (await run('npm', ['config', 'get', 'cache'], { cwd: ROOT })).out.trim()
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const trust =
    certificates === undefined
      ? []
      : [
          '-v',
          `${realpathSync(certificates)}:/run/machine-certificates.crt:ro`,
          '--env=NODE_EXTRA_CA_CERTS=/run/machine-certificates.crt',
          '--env=npm_config_cafile=/run/machine-certificates.crt',
        ]
  mkdirSync(cache, { recursive: true })
  await podman.buildah([
    'bud',
    '--isolation=chroot',
    '--format=docker',
    `--build-arg=BASE=${BASE}`,
    '--target=server',
    '-v',
    `${cache}:/root/.npm`,
    '--env=npm_config_prefer_offline=true',
    ...trust,
    '-f',
    join(ROOT, 'deploy', 'Dockerfile'),
    '-t',
    IMAGE,
    ROOT,
  ])
}
