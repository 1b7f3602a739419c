import type { TrunkSettings } from '@troupe/voice'
import { type CreateSipOutboundTrunkOptions, SIPOutboundTrunkInfo, type SipClient } from 'livekit-server-sdk'
import { isNotFound, toMediaPlaneError } from './failures/media-plane-failure.ts'

/** Values of LiveKit's protocol, whose enumerations the SDK does not export. */
const TRANSPORTS: Record<TrunkSettings['transport'], CreateSipOutboundTrunkOptions['transport']> = {
  auto: 0,
  udp: 1,
  tcp: 2,
  tls: 3,
}
const ENCRYPTIONS: Record<TrunkSettings['mediaEncryption'], SIPOutboundTrunkInfo['mediaEncryption']> = {
  disabled: 0,
  allowed: 1,
  required: 2,
}

export async function provisionTrunk(sip: SipClient, trunk: TrunkSettings): Promise<string> {
  const { media } = new SIPOutboundTrunkInfo({ media: { encryption: ENCRYPTIONS[trunk.mediaEncryption] } })
  try {
    const stored = await sip.createSipOutboundTrunk(trunk.name, trunk.address, [...trunk.numbers], {
      transport: TRANSPORTS[trunk.transport],
      ...(trunk.authUsername === null ? {} : { authUsername: trunk.authUsername }),
      ...(trunk.authPassword === null ? {} : { authPassword: trunk.authPassword }),
      headers: { ...trunk.headers },
      ...(media === undefined ? {} : { media }),
      metadata: trunk.trunkId,
    })
    return stored.sipTrunkId
  } catch (error) {
    throw toMediaPlaneError(error, 'provision the trunk')
  }
}

export async function removeTrunk(sip: SipClient, mediaTrunkId: string): Promise<void> {
  try {
    await sip.deleteSipTrunk(mediaTrunkId)
  } catch (error) {
    if (!isNotFound(error)) throw toMediaPlaneError(error, 'remove the trunk')
  }
}
