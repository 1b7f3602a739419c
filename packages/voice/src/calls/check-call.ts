import { allowedDestination, type Destination } from '../destinations/destination.ts'
import { isQuiet } from '../destinations/quiet-hours.ts'
import { maySpeakOn } from '../trunks/may-speak-on.ts'
import { isFullyProvisioned, type PhoneTrunkRecord } from '../trunks/trunk.ts'
import { workersSeenAfter } from '../workers/worker-store.ts'
import type { CallParts } from './call-parts.ts'
import { type CallRefusal, invalidCallField, REFUSALS, UNAVAILABLE } from './call-refusal.ts'
import type { CallRequest } from './call-request.ts'
import type { CallPlan } from './call-store.ts'

/** A call that only caps and budgets may still refuse. */
export interface CheckedCall {
  trunk: PhoneTrunkRecord
  number: NonNullable<CallPlan['number']>
  voice: NonNullable<CallPlan['voice']>
  destination: Destination
}

/** One text for every rule, so that callers cannot find out which numbers pass. */
const NOT_ALLOWED = invalidCallField('to', 'destination not allowed')

/** The checks that write nothing, in the order of the specification; the first refusal wins. */
export async function checkCall(
  parts: Pick<CallParts, 'calls' | 'media' | 'workers' | 'speech' | 'now'>,
  request: CallRequest,
): Promise<{ call: CheckedCall } | { refusal: CallRefusal }> {
  const plan = await parts.calls.plan(request.organizationId, request)
  if (!plan || (request.projectId !== null && plan.trunk.projectId !== request.projectId)) {
    return { refusal: REFUSALS.forbidden }
  }
  const { trunk, number, voice, hasBudget } = plan
  const ofTrunk = trunkRefusal(trunk)
  if (ofTrunk) return { refusal: ofTrunk }
  if (!number) return { refusal: invalidCallField('phoneNumberId', 'is not a number of this trunk') }
  if (!voice || voice.isArchived) return { refusal: REFUSALS.noVoice }
  if (!maySpeakOn(trunk, voice)) return { refusal: REFUSALS.foreignVoice }
  const destination = allowedDestination(request.to, number.e164, trunk)
  if (!destination || isQuiet(trunk.quietHours, parts.now())) return { refusal: NOT_ALLOWED }
  if (await parts.calls.isOnDoNotCall(request.organizationId, destination.e164)) {
    return { refusal: NOT_ALLOWED }
  }
  if (!hasBudget) return { refusal: REFUSALS.budgetRequired }
  if (!(await canTakeCalls(parts))) return { refusal: UNAVAILABLE }
  // Without this check, a phone could ring for an agent that cannot speak.
  const { organizationId } = request
  return (await parts.speech.canConverse({ organizationId, ...voice }))
    ? { call: { trunk, number, voice, destination } }
    : { refusal: REFUSALS.noKey }
}

function trunkRefusal(trunk: PhoneTrunkRecord): CallRefusal | null {
  if (trunk.direction !== 'outbound') return REFUSALS.wrongDirection
  if (trunk.status === 'provisioning') return REFUSALS.unprovisioned
  if (trunk.status !== 'active') return REFUSALS.inactive
  return isFullyProvisioned(trunk) ? null : REFUSALS.unprovisioned
}

async function canTakeCalls({ media, workers, now }: Pick<CallParts, 'media' | 'workers' | 'now'>) {
  const { rooms, calls } = media.health()
  return rooms && calls && (await workers.hasRoom(workersSeenAfter(now())))
}
