import { type MediaPlane, MediaPlaneError } from '../media/media-plane.ts'
import type { PhoneTrunkRecord } from './trunk.ts'
import type { TrunkProvisioningStore } from './trunk-store.ts'

/** What provisioning uses. */
export interface TrunkProvisioning {
  media: Pick<MediaPlane, 'provisionTrunk'>
  trunks: TrunkProvisioningStore
  /** The password of a trunk; null without one. Throws when no key opens it. */
  openPassword: (trunk: Pick<PhoneTrunkRecord, 'id' | 'authPasswordEnc'>) => string | null
  now: () => number
}

/** A trunk without numbers of its own may call from any. */
const ANY_NUMBER = ['*']

/**
 * Tells the media server about a trunk and stores its id there.
 *
 * @returns the id, also where another process provisioned the trunk at the same time
 * @throws MediaPlaneError, after storing why
 */
export async function provisionPhoneTrunk(
  { media, trunks, openPassword, now }: TrunkProvisioning,
  trunk: PhoneTrunkRecord,
): Promise<string> {
  const numbers = await trunks.numbers(trunk)
  try {
    const lkTrunkId = await media.provisionTrunk({
      trunkId: trunk.id,
      name: trunk.name,
      address: trunk.address,
      transport: trunk.transport,
      numbers: numbers.length > 0 ? numbers : ANY_NUMBER,
      authUsername: trunk.authUsername,
      authPassword: openPassword(trunk),
      headers: trunk.headers,
      mediaEncryption: trunk.mediaEncryption,
    })
    const { configHash, lkTrunkId: former } = trunk
    await trunks.provisioned(trunk, { former, lkTrunkId, configHash, at: new Date(now()) })
    return lkTrunkId
  } catch (error) {
    await trunks.notProvisioned(trunk, { ...told(error), configHash: trunk.configHash })
    throw error
  }
}

/** Provisions what waits; each failure is stored with its trunk. */
export async function provisionWaitingTrunks(parts: TrunkProvisioning): Promise<void> {
  for (const trunk of await parts.trunks.waiting(20)) {
    await provisionPhoneTrunk(parts, trunk).catch((error: unknown) => {
      if (!(error instanceof MediaPlaneError)) throw error
    })
  }
}

/** Without host names and secrets, which messages of the media server may repeat. */
function told(error: unknown): { message: string; isFinal: boolean } {
  if (!(error instanceof MediaPlaneError)) {
    return { message: 'The password of the trunk cannot be opened.', isFinal: true }
  }
  return error.reason === 'unavailable'
    ? { message: 'The media server cannot be reached; the trunk is tried again.', isFinal: false }
    : {
        message: 'The media server refused the trunk; check its address, transport and headers.',
        isFinal: true,
      }
}
