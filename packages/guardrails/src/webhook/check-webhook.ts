import { createHmac } from 'node:crypto'
import type { Clock } from '@troupe/agents/ports'
import { isJsonObject, type OrganizationId } from '@troupe/contract'
import { PASSED, REDACTION, type RuleCheck } from '../rules/finding.ts'
import { readJson } from './read-json.ts'

const TIMEOUT_MS = 3_000
const MAX_REASON = 200

/** What a webhook uses. */
export interface WebhookRuleParts {
  /** Reaches the addresses that tenants may reach. */
  fetch: typeof globalThis.fetch
  clock: Pick<Clock, 'now'>
  /** The secret that signs requests of this organization to this URL. */
  webhookSecret(organizationId: OrganizationId, url: string): string
}

/** Asks a web service, which may replace the text. Requests are signed like incoming webhooks. */
export function webhook({ fetch, clock, webhookSecret }: WebhookRuleParts): RuleCheck<'webhook'> {
  return async ({ url, action }, text, { stage, agentId, runId, organizationId, signal }) => {
    const body = JSON.stringify({ stage, text, agentId, runId })
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', webhookSecret(organizationId, url))
      .update(`${timestamp}.${body}`)
      .digest('hex')
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': signature,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer = await readJson(response)
    if (!isJsonObject(answer) || typeof answer.allow !== 'boolean') throw new Error('It gave no verdict.')
    if (answer.allow) return PASSED
    const reason = typeof answer.reason === 'string' ? answer.reason.slice(0, MAX_REASON).trim() : ''
    const replacement = typeof answer.replacement === 'string' ? answer.replacement : REDACTION
    const redacted = action === 'redact' ? replacement : null
    return { broken: true, reason: reason === '' ? 'The web service does not allow it.' : reason, redacted }
  }
}
