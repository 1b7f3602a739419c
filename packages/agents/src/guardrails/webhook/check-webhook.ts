import { createHmac } from 'node:crypto'
import { CredentialId, checkedId, isJsonObject, type OrganizationId, type ProjectId } from '@troupe/contract'
import type { Clock } from '../../ports/index.ts'
import { type Finding, PASSED, REDACTION, type RuleCheck, type RuleOf } from '../rules/finding.ts'
import { UncheckedRule } from '../rules/unchecked-rule.ts'
import { readJson } from './read-json.ts'

const TIMEOUT_MS = 3_000
const MAX_REASON = 200

/** The dependencies of a webhook rule. */
export interface WebhookRuleParts {
  /** Reaches only the addresses allowed for tenants. */
  fetch: typeof globalThis.fetch
  clock: Pick<Clock, 'now'>
  /** The secret that signs requests of this organization to this URL. */
  webhookSecret(organizationId: OrganizationId, url: string): string
  /** Adds a stored credential to a request. `hide` removes it from a text; `message` is for callers of the run. */
  authorize(
    owner: { organizationId: OrganizationId; projectId: ProjectId | null },
    credentialId: CredentialId,
    request: { url: URL; headers: Headers },
  ): Promise<{ ok: true; hide: (text: string) => string } | { ok: false; message: string }>
}

const asIs = (text: string) => text

/** Calls a web service, which may replace the text. Requests are signed like incoming webhooks. A credential is masked in the response. */
export function webhook({ fetch, clock, webhookSecret, authorize }: WebhookRuleParts): RuleCheck<'webhook'> {
  return async (rule, text, { stage, agentId, runId, organizationId, projectId, signal }) => {
    const body = JSON.stringify({ stage, text, agentId, runId })
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', webhookSecret(organizationId, rule.url))
      .update(`${timestamp}.${body}`)
      .digest('hex')
    const url = new URL(rule.url)
    const headers = new Headers()
    const authorized = rule.credential_id
      ? await authorize({ organizationId, projectId }, checkedId(CredentialId, rule.credential_id), {
          url,
          headers,
        })
      : { ok: true as const, hide: asIs }
    if (!authorized.ok) throw new UncheckedRule(authorized.message)
    headers.set('content-type', 'application/json')
    headers.set('x-service-timestamp', timestamp)
    headers.set('x-service-signature', signature)
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      // Regardless of the header's name, a credential is not sent to public addresses over plain http.
      credentials: rule.credential_id ? 'include' : 'omit',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    return findingOf(await readJson(response), rule.action, authorized.hide)
  }
}

function findingOf(
  answer: unknown,
  action: RuleOf<'webhook'>['action'],
  hide: (text: string) => string,
): Finding {
  if (!isJsonObject(answer) || typeof answer.allow !== 'boolean') throw new Error('It returned no verdict.')
  if (answer.allow) return PASSED
  const reason = typeof answer.reason === 'string' ? hide(answer.reason).slice(0, MAX_REASON).trim() : ''
  const replacement = typeof answer.replacement === 'string' ? hide(answer.replacement) : REDACTION
  const redacted = action === 'redact' ? replacement : null
  return { broken: true, reason: reason === '' ? 'The web service does not allow it.' : reason, redacted }
}
