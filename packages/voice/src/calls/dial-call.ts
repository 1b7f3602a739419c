import { dialString } from '../destinations/dial-string.ts'
import { MediaPlaneError, type NewCall, UnansweredCall } from '../media/media-plane.ts'
import { UNAVAILABLE_MESSAGE } from '../sessions/refusals.ts'
import { provisionPhoneTrunk } from '../trunks/provision-trunk.ts'
import type { CallParts } from './call-parts.ts'
import type { OpenedCall } from './open-call.ts'

/** A carrier that wants the user name in `From` gets the number in this header. */
const PREFERRED_IDENTITY = 'P-Preferred-Identity'

/**
 * Dials. A trunk that the media server has lost, or never had, is provisioned once: no INVITE was sent, so nothing is
 * repeated.
 *
 * @throws UnansweredCall, `infra` if the media server is unavailable, `trunk_lost` if it refuses the trunk
 */
export async function dialCall(
  { media, provisioning }: Pick<CallParts, 'media' | 'provisioning'>,
  opened: OpenedCall,
): Promise<{ sipCallId: string }> {
  const provision = async () => {
    try {
      return await provisionPhoneTrunk(provisioning, opened.trunk)
    } catch (error) {
      throw notProvisioned(error)
    }
  }
  const { lkTrunkId } = opened.trunk
  if (lkTrunkId === null) return media.dial(newCall(opened, await provision()))
  try {
    return await media.dial(newCall(opened, lkTrunkId))
  } catch (error) {
    if (!(error instanceof UnansweredCall) || error.failureReason !== 'trunk_lost') throw error
    return media.dial(newCall(opened, await provision()))
  }
}

function notProvisioned(error: unknown): UnansweredCall {
  const isAway = error instanceof MediaPlaneError && error.reason === 'unavailable'
  const sip = { statusCode: null, status: null }
  return isAway
    ? new UnansweredCall('infra', UNAVAILABLE_MESSAGE, sip, { cause: error })
    : new UnansweredCall('trunk_lost', 'The trunk could not be reached.', sip, { cause: error })
}

function newCall(
  { row, trunk, number, destination, ringingS, talkingS }: OpenedCall,
  mediaTrunkId: string,
): NewCall {
  const { fromUser, headers, numberFormat, defaultCountry } = trunk
  return {
    sessionId: row.id,
    roomName: row.roomName,
    mediaTrunkId,
    dialString: dialString(destination.e164, numberFormat, defaultCountry),
    fromNumber: fromUser ?? number.e164,
    participantIdentity: row.participantIdentity,
    headers: fromUser === null ? headers : { ...headers, [PREFERRED_IDENTITY]: `<tel:${number.e164}>` },
    ringingTimeoutS: ringingS,
    maxDurationS: ringingS + talkingS,
    mediaTimeoutS: trunk.mediaTimeoutS,
  }
}
