/**
 * The SQL for the charged seconds of an ended session: null for a session in the browser; 0 for an unanswered call or
 * one without a ready agent; else the time since the answer, rounded up to the billing unit. Never above the
 * reservation, so that used and reserved minutes together stay within their budgets.
 */
export function chargedSeconds(at: string, unitSeconds: string): string {
  const elapsed = `greatest(0, extract(epoch from ${at}::timestamptz - answered_at))`
  return `case when kind = 'outbound_call' then
    case when answered_at is null or first_ready_at is null then 0
      else least(reserved_s, (ceil(${elapsed} / ${unitSeconds}::int) * ${unitSeconds}::int)::int) end end`
}
