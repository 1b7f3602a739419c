import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBinaries, type MediaBinaries } from '../binaries/ensure-binaries.ts'
import { mediaEnvironment } from '../environment/media-environment.ts'
import { type MediaServers, startMediaServers } from '../servers/start-media-servers.ts'

/** Requirements of a media test beyond the servers. */
export type MediaNeed = 'speech' | 'carrier'

const PROGRAMS: Record<MediaNeed | 'servers', readonly string[]> = {
  servers: ['redis-server'],
  speech: ['flite', 'pocketsphinx_continuous'],
  carrier: ['sipp'],
}

/** The media level of tests on this machine. */
export interface MediaLevel {
  /** The missing requirements, as a reason for a skip; null when tests can run. */
  missing: string | null
  startServers(options?: { webhookUrl?: string | null; withCalls?: boolean }): Promise<MediaServers>
}

/**
 * For `describe.skipIf(media.missing !== null)` of a `*.media.test.ts`. Programs are built before the files run
 * (`test/setup/media-servers.ts`); here they are only located.
 */
export async function mediaLevel(...needs: MediaNeed[]): Promise<MediaLevel> {
  const binaries = await findBinaries()
  const missing = missingFor(binaries, needs)
  if (missing !== null && mediaEnvironment().isRequired)
    throw new Error(`Media tests are required: ${missing}`)
  return {
    missing,
    async startServers({ webhookUrl = null, withCalls = needs.includes('carrier') } = {}) {
      if (binaries === null) throw new Error('There are no media servers')
      return startMediaServers({ binaries, webhookUrl, withCalls })
    },
  }
}

function missingFor(binaries: MediaBinaries | null, needs: readonly MediaNeed[]): string | null {
  if (binaries === null) return 'livekit-server and the SIP stand-in are not built (Go 1.26 builds them)'
  const programs = ['servers' as const, ...needs].flatMap((need) => PROGRAMS[need])
  const absent = programs.filter((program) => spawnSync('which', [program]).status !== 0)
  if (needs.includes('speech') && !existsSync('/usr/share/pocketsphinx/model/en-us'))
    absent.push('pocketsphinx-en-us')
  return absent.length === 0 ? null : `missing: ${absent.join(', ')}`
}
