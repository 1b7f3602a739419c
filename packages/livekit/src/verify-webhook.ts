import type { MediaEvent } from '@troupe/voice'
import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk'

/** `ParticipantInfo.Kind` of LiveKit's protocol, which the SDK does not export. */
const KIND_AGENT = 4

export function createWebhookVerifier({
  apiKey,
  apiSecret,
}: {
  apiKey: string
  apiSecret: string
}): (rawBody: string, authorization: string | undefined) => Promise<MediaEvent | null> {
  const receiver = new WebhookReceiver(apiKey, apiSecret)
  return async (rawBody, authorization) => {
    try {
      return eventOf(await receiver.receive(rawBody, authorization))
    } catch {
      // A missing, wrong or expired signature, another body, or a body that is not an event.
      return null
    }
  }
}

function eventOf(event: WebhookEvent): MediaEvent | null {
  if (event.id === '') return null
  const origin = {
    id: event.id,
    at: event.createdAt === 0n ? new Date() : new Date(Number(event.createdAt) * 1_000),
    roomName: event.room?.name || null,
    roomSid: event.room?.sid || null,
  }
  switch (event.event) {
    case 'participant_joined':
    case 'participant_left':
      return event.participant === undefined
        ? { ...origin, type: 'other' }
        : {
            ...origin,
            type: event.event,
            identity: event.participant.identity,
            isAgent: event.participant.kind === KIND_AGENT,
          }
    case 'room_finished':
      return { ...origin, type: 'room_finished' }
    default:
      return { ...origin, type: 'other' }
  }
}
