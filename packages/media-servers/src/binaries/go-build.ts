import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, constants, setPriority } from 'node:os'
import { mediaEnvironment } from '../environment/media-environment.ts'

/**
 * Builds one program of a module. Both programs have the same flags; otherwise they would share no compiled package and the second one
 * would take three minutes more.
 */
export async function goBuild({
  module,
  target,
  file,
  inBackground,
}: {
  module: string
  target: string
  file: string
  inBackground: boolean
}): Promise<void> {
  const jobs = inBackground ? 1 : availableParallelism()
  const child = spawn(
    'go',
    ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-p', String(jobs), '-o', file, target],
    {
      cwd: module,
      // No other compiler is downloaded, and no flags of the environment affect the build.
      env: {
        ...mediaEnvironment().inherited,
        GOTOOLCHAIN: 'local',
        GOFLAGS: '',
        CGO_ENABLED: '0',
        GOWORK: 'off',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  if (inBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let errors = ''
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-4_000)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`go build ${target} failed: ${errors}`)
}
