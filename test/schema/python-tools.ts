import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const CACHE = join(ROOT, 'node_modules', '.cache')
const LEAST_MINOR = 11

/** The conformance run cannot start on this machine; the message names the missing tool. */
export class ToolsMissingError extends Error {}

/** Installs Schemathesis; see {@link installPythonTools}. */
export async function installSchemathesis(): Promise<string> {
  const requirements = join(import.meta.dirname, 'requirements.txt')
  return (await installPythonTools('schemathesis', requirements))('schemathesis')
}

/**
 * Installs Python packages into a virtual environment below `node_modules/.cache`, unless they are installed already.
 *
 * @param name of the folder, and in messages
 * @param requirements path of a file with a hash for every package
 * @returns paths of programs by their names
 * @throws ToolsMissingError without Python 3.11, `venv` or the package index
 */
export async function installPythonTools(
  name: string,
  requirements: string,
): Promise<(program: string) => string> {
  const python = findPython()
  const version = createHash('sha256')
    .update(await readFile(requirements))
    .update(python.version)
    .digest('hex')
  const folder = join(CACHE, name, version.slice(0, 16))
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin')
  const program = (named: string) => join(programs, named)
  const done = join(folder, 'complete')
  if (existsSync(done)) return program

  await rm(folder, { recursive: true, force: true })
  await mkdir(join(CACHE, name), { recursive: true })
  run(python.program, ['-m', 'venv', folder], 'Python has no venv (Debian: apt-get install python3-venv)')
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--require-hashes',
    '-r',
    requirements,
  ]
  run(program('python'), pip, `${name} could not be installed`)
  // Written last, so that an interrupted installation is repeated.
  await mkdir(`${done}.new`)
  await rename(`${done}.new`, done)
  return program
}

function findPython(): { program: string; version: string } {
  for (const program of ['python3', 'python']) {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    const [version = '', minor] = /^Python 3\.(\d+)\S*/.exec(stdout ?? '') ?? []
    if (status === 0 && Number(minor) >= LEAST_MINOR) return { program, version }
  }
  throw new ToolsMissingError(`Python 3.${LEAST_MINOR} or later is needed (Debian: apt-get install python3)`)
}

function run(program: string, parameters: readonly string[], failure: string): void {
  const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8' })
  if (status !== 0) throw new ToolsMissingError(`${failure}:\n${stdout}${stderr}`)
}
