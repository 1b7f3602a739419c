import type { NewCall } from '@troupe/voice'
import { SIPOutboundTrunkInfo, type SipClient } from 'livekit-server-sdk'
import { toUnansweredCall } from './failures/unanswered-call.ts'

/** Seconds that the bridge may need beyond the ringing; the SDK raises anything below 2. */
const MARGIN_S = 10

export async function dial(
  sip: SipClient,
  call: NewCall,
): Promise<{ sipCallId: string; participantIdentity: string }> {
  try {
    const answered = await sip.createSipParticipant(call.mediaTrunkId, call.dialString, call.roomName, {
      fromNumber: call.fromNumber,
      participantIdentity: call.participantIdentity,
      participantName: '',
      participantAttributes: { 'troupe.sid': call.sessionId },
      headers: { ...call.headers },
      hidePhoneNumber: false,
      krispEnabled: false,
      playDialtone: false,
      waitUntilAnswered: true,
      ringingTimeout: call.ringingTimeoutS,
      maxCallDuration: call.maxDurationS,
      timeout: call.ringingTimeoutS + MARGIN_S,
      ...mediaOf(call),
    })
    return { sipCallId: answered.sipCallId, participantIdentity: answered.participantIdentity }
  } catch (error) {
    throw toUnansweredCall(error, call.ringingTimeoutS)
  }
}

function mediaOf({ mediaTimeoutS }: NewCall) {
  if (mediaTimeoutS === null) return {}
  // The SDK does not export the class of `media`; constructing its parent message creates it.
  const { media } = new SIPOutboundTrunkInfo({ media: { mediaTimeout: { seconds: BigInt(mediaTimeoutS) } } })
  return media === undefined ? {} : { media }
}
