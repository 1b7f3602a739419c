import type { OrganizationId, PhoneTrunkId, VoiceSessionId } from '@troupe/contract'
/** A sign of fraud in the last hour of a trunk. */
export type TrafficAlert =
  /** More than a fifth of the answered calls ended within six seconds. */
  | {
      kind: 'short_calls'
      answered: number
      short: number
      trunkId: PhoneTrunkId
      organizationId: OrganizationId
    }
  /** More than an hour of conversation, and more than twice that of the busiest hour of the week before. */
  | {
      kind: 'unusual_spend'
      minutes: number
      busiestMinutes: number
      trunkId: PhoneTrunkId
      organizationId: OrganizationId
    }

/** An alert about calls for the operator: a sign of fraud, of a wrong setting or of a defect. */
export type CallAlert =
  | { kind: 'trunk_auth'; trunkId: PhoneTrunkId; organizationId: OrganizationId }
  | { kind: 'first_call_to_country'; country: string; trunkId: PhoneTrunkId; organizationId: OrganizationId }
  | TrafficAlert
  /** A call was answered without an agent in the room. */
  | { kind: 'answered_without_agent'; sessionId: VoiceSessionId; organizationId: OrganizationId }

/** Port: alerts the operator of the deployment. */
export interface CallAlerts {
  raise(alert: CallAlert): void
}
