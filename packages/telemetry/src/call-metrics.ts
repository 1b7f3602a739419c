import { Counter } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** The metrics of outbound calls. Labels have few values: never a number, a trunk or an organization. */
export class CallMetrics {
  readonly #results: Counter<'result' | 'sip_code'>
  readonly #alerts: Counter<'alert'>

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    this.#results = new Counter({
      name: 'troupe_voice_call_results_total',
      help: "Dialed calls by outcome: answered, or the reason for the failure; sip_code is the carrier's final status, or none.",
      labelNames: ['result', 'sip_code'],
      registers: [registry],
    })
    this.#alerts = new Counter({
      name: 'troupe_voice_call_alerts_total',
      help: 'Signs of fraud, of a wrong setting or of a defect in calls; the log has the trunk and the organization.',
      labelNames: ['alert'],
      registers: [registry],
    })
  }

  alertRaised(alert: string): void {
    this.#alerts.inc({ alert })
  }

  /** `sipStatusCode` is null when the carrier sent no final status. */
  callResolved(result: string, sipStatusCode: number | null): void {
    this.#results.inc({ result, sip_code: sipStatusCode === null ? 'none' : String(sipStatusCode) })
  }
}
