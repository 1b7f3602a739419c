import { type MediaPlane, MediaPlaneError } from '../media/media-plane.ts'
import type { PhoneTrunkRecord } from './trunk.ts'
import type { TrunkProvisioningStore } from './trunk-store.ts'

/** The dependencies of provisioning. */
export interface TrunkProvisioning {
  media: Pick<MediaPlane, 'provisionTrunk' | 'removeTrunk'>
  trunks: TrunkProvisioningStore
  /** The password of a trunk; null without one. Throws when no key opens it. */
  openPassword: (trunk: Pick<PhoneTrunkRecord, 'id' | 'authPasswordEnc'>) => string | null
  now: () => number
  /** Called for failures of steps that no caller awaits. */
  onFailure: (task: string, error: unknown) => void
}

/** A trunk without numbers of its own may call from any. */
const ANY_NUMBER = ['*']

/**
 * Provisions a trunk in the media server, stores its id there, and removes its predecessor. Of two processes that
 * provision a trunk concurrently, the one that stores second removes its own and returns the other's id.
 *
 * @throws MediaPlaneError, even if the trunk was changed, disabled or deleted in the meantime, or the error for a
 * password that no key opens; the reason is stored first
 */
export async function provisionPhoneTrunk(
  parts: TrunkProvisioning,
  trunk: PhoneTrunkRecord,
): Promise<string> {
  const { media, trunks, openPassword, now } = parts
  const { configHash, lkTrunkId: former } = trunk
  const numbers = await trunks.numbers(trunk)
  const refuse = async (error: unknown, refusal: Refusal): Promise<never> => {
    await trunks.notProvisioned(trunk, { ...refusal, former, configHash })
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
  // A database failure here is not the trunk's fault: the trunk stays pending and is provisioned again.
  const inUse = await trunks.provisioned(trunk, { former, lkTrunkId, configHash, at: new Date(now()) })
  if (inUse !== lkTrunkId) await removeMediaTrunk(parts, lkTrunkId)
  else if (former !== null) await removeMediaTrunk(parts, former)
  if (inUse === null) throw new MediaPlaneError('refused', 'the trunk was changed while it was provisioned')
  return inUse
}

/** Removes a trunk from the media server. If that fails, the trunk stays there unused, with its password. */
export async function removeMediaTrunk(
  { media, onFailure }: Pick<TrunkProvisioning, 'media' | 'onFailure'>,
  mediaTrunkId: string,
): Promise<void> {
  try {
    await media.removeTrunk(mediaTrunkId)
  } catch (error) {
    onFailure('removing a trunk from the media server', error)
  }
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

/** Provisions waiting trunks; each failure is stored with its trunk. */
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
    : { message: 'The media server cannot be reached; provisioning will be retried.', isFinal: false }
}
