import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type NoWebBuild, readWebBuild, type WebBuild } from './web-build.ts'

/** Minimum milliseconds between checks of the folder. */
const LOOK_EVERY_MS = 1_000

/**
 * The current build in a folder. `npm run build:web` replaces it while a server runs: the files of the previous build are then gone, so that
 * its page would refer to missing files.
 *
 * @param nowMs a monotonic clock
 * @returns a function that reads a build once, until it has been replaced
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
    // There is no build for a moment between two builds.
    if (found === null || found === stamp) return build
    build = readWebBuild(folder)
    stamp = found
    return build
  }
}

/** Identifies a build. `build.json` is written last, and moves with its folder. */
function stampOf(folder: string): string | null {
  const stats = statSync(join(folder, 'build.json'), { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : null
}
