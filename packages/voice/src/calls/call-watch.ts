import type { CallAlerts, TrafficAlert } from './call-alerts.ts'
import type { CallStore, TrunkTraffic } from './call-store.ts'

const HOUR_MS = 60 * 60_000
/** Fewer answered calls in an hour are too few to judge their length. */
const FEWEST_ANSWERED = 10
/** The part of answered calls that may be shorter than six seconds. */
const SHORT_SHARE = 0.2
/** An hour below this many seconds of conversation is never unusual. */
const USUAL_TALK_S = 60 * 60
/** An hour is unusual above this multiple of the busiest one of the week before. */
const UNUSUAL = 2

/** The alerts for a trunk's last hour. */
function trafficAlerts({
  organizationId,
  trunkId,
  answered,
  short,
  talkedS,
  busiestTalkedS,
}: TrunkTraffic): TrafficAlert[] {
  const where = { trunkId, organizationId }
  const alerts: TrafficAlert[] = []
  if (answered >= FEWEST_ANSWERED && short > answered * SHORT_SHARE) {
    alerts.push({ kind: 'short_calls', answered, short, ...where })
  }
  if (talkedS > Math.max(USUAL_TALK_S, busiestTalkedS * UNUSUAL)) {
    const minutes = Math.round(talkedS / 60)
    alerts.push({ kind: 'unusual_spend', minutes, busiestMinutes: Math.round(busiestTalkedS / 60), ...where })
  }
  return alerts
}

/**
 * Looks for signs of fraud in the calls of the last hour of every trunk, and repeats an alert after an hour at the
 * earliest. Each process raises its own alerts.
 */
export class CallWatch {
  readonly #calls: Pick<CallStore, 'traffic'>
  readonly #alerts: CallAlerts
  readonly #now: () => number
  /** When each alert of a trunk was raised; in milliseconds since the epoch. */
  readonly #raised = new Map<string, number>()

  constructor(calls: Pick<CallStore, 'traffic'>, alerts: CallAlerts, now: () => number) {
    this.#calls = calls
    this.#alerts = alerts
    this.#now = now
  }

  async look(): Promise<void> {
    const at = this.#now()
    for (const [key, since] of this.#raised) if (at - since >= HOUR_MS) this.#raised.delete(key)
    const traffic = await this.#calls.traffic(new Date(at), USUAL_TALK_S)
    for (const alert of traffic.flatMap(trafficAlerts)) {
      const key = `${alert.kind} ${alert.trunkId}`
      if (this.#raised.has(key)) continue
      this.#raised.set(key, at)
      this.#alerts.raise(alert)
    }
  }
}
