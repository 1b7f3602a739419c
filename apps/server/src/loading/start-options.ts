import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MANIFEST = fileURLToPath(new URL('../../../../package.json', import.meta.url))

/**
 * The options of Node in the script `start` of the root package.json, in its order. V8 reuses compiled code only in processes with
 * the same options, so a process that fills the compile cache for later starts needs exactly these.
 *
 * @throws Error if the script does not start the program by `node`
 */
export function startOptions(): string[] {
  const { scripts } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { scripts?: { start?: string } }
  const options = / node ((?:--\S+ )*)apps\/server\/src\/main\.js/.exec(scripts?.start ?? '')?.[1]
  if (options === undefined) throw new Error(`"start" in ${MANIFEST} does not start the program by node`)
  return options.split(' ').filter((option) => option !== '')
}
