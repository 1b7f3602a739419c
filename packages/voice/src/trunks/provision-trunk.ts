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
 * @throws MediaPlaneError, and whatever says that no key opens the password, after storing why
 */
export async function provisionPhoneTrunk(
  { media, trunks, openPassword, now }: TrunkProvisioning,
  trunk: PhoneTrunkRecord,
): Promise<string> {
  const { configHash, lkTrunkId: former } = trunk
  const numbers = await trunks.numbers(trunk)
  const refuse = async (error: unknown, refusal: Refusal): Promise<never> => {
    await trunks.notProvisioned(trunk, { ...refusal, configHash })
    throw error
  }
  const authPassword = await attempt(
    () => openPassword(trunk),
    (error) => refuse(error, UNREADABLE_PASSWORD),
  )
  const settings = {
    trunkId: trunk.id,
    name: trunk.name,
    address: trunk.address,
    transport: trunk.transport,
    numbers: numbers.length > 0 ? numbers : ANY_NUMBER,
    authUsername: trunk.authUsername,
    authPassword,
    headers: trunk.headers,
    mediaEncryption: trunk.mediaEncryption,
  }
  const lkTrunkId = await attempt(
    () => media.provisionTrunk(settings),
    (error) => refuse(error, told(error)),
  )
  // A failure of the database here is no fault of the trunk, which waits and is provisioned again.
  await trunks.provisioned(trunk, { former, lkTrunkId, configHash, at: new Date(now()) })
  return lkTrunkId
}

async function attempt<T>(
  action: () => T | Promise<T>,
  onError: (error: unknown) => Promise<never>,
): Promise<T> {
  try {
    return await action()
  } catch (error) {
    return onError(error)
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

interface Refusal {
  message: string
  /** The trunk is not tried again until it changes. */
  isFinal: boolean
}

const UNREADABLE_PASSWORD: Refusal = { message: 'The password of the trunk cannot be opened.', isFinal: true }

/** Without host names and secrets, which messages of the media server may repeat. */
function told(error: unknown): Refusal {
  return error instanceof MediaPlaneError && error.reason !== 'unavailable'
    ? {
        message: 'The media server refused the trunk; check its address, transport and headers.',
        isFinal: true,
      }
    : { message: 'The media server cannot be reached; the trunk is tried again.', isFinal: false }
}
