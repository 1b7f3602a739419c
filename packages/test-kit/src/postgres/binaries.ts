import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

function fromPgConfig(): string[] {
  try {
    return [
      execFileSync('pg_config', ['--bindir'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    ]
  } catch {
    return []
  }
}

function fromDebian(): string[] {
  if (!existsSync(DEBIAN)) return []
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(DEBIAN, version, 'bin'))
}

/** The folder with the PostgreSQL server programs, or null when none is installed. */
export function serverBinaries(): string | null {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...fromPgConfig(), ...fromDebian()]) {
    const server = join(folder, 'postgres')
    if (!folder || !existsSync(server)) continue
    // A link on the PATH may be the only one; the other programs are next to its target.
    const home = dirname(realpathSync(server))
    if (existsSync(join(home, 'initdb')) && existsSync(join(home, 'psql'))) return home
  }
  return null
}
