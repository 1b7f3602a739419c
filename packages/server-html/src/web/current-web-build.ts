import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type NoWebBuild, readWebBuild, type WebBuild } from './web-build.ts'

/** The folder is looked at this often at most. */
const LOOK_EVERY_MS = 1_000

/**
 * The build that is in a folder now. `npm run build:web` puts another one in its place while a server runs: the files of the
 * former one are gone then, so that its page would name files that nobody has.
 *
 * @param nowMs a clock that only goes forward
 * @returns reads a build once, until another one has taken its place
 */
export function currentWebBuild(
  folder: string,
  nowMs = () => performance.now(),
): () => WebBuild | NoWebBuild {
  let stamp = stampOf(folder)
  let build = readWebBuild(folder)
  let lookedAt = nowMs()
  return () => {
    if (nowMs() - lookedAt < LOOK_EVERY_MS) return build
    lookedAt = nowMs()
    const found = stampOf(folder)
    // Between two builds there is none for a moment.
    if (found === null || found === stamp) return build
    build = readWebBuild(folder)
    stamp = found
    return build
  }
}

/** Tells one build from another. `build.json` is written last, and moves with its folder. */
function stampOf(folder: string): string | null {
  const stats = statSync(join(folder, 'build.json'), { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : null
}
