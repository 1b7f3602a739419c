/** Something about calls that a person should look at: a sign of fraud, of a wrong setting or of a defect. */
export type CallAlert =
  | { kind: 'trunk_auth'; trunkId: string; organizationId: string }
  | { kind: 'first_call_to_country'; country: string; trunkId: string; organizationId: string }
  /** A call was answered, and no agent was there. */
  | { kind: 'answered_without_agent'; sessionId: string; organizationId: string }

/** Port: counts what became of calls. */
export interface CallResults {
  /** `result` is `answered`, or why the call failed. `sipStatusCode` is the carrier's final status, null without one. */
  callResolved(result: string, sipStatusCode: number | null): void
}

/** Port: tells the operator of the deployment. */
export interface CallAlerts {
  raise(alert: CallAlert): void
}
