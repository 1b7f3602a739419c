import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { applyBundle, bundleFolder } from '@troupe/bundles'
import { COORDINATION_MODES, type CoordinationMode, type IdText, type WorkflowId } from '@troupe/contract'
import { openFormToken } from '@troupe/operations/forms/form-token'
import { openWebhookSecrets } from '@troupe/operations/webhooks/webhook-secrets'
import type { Actor, WorkflowRecord } from '@troupe/storage'
import { applyPartsOf, type BundleContext } from './bundle-context.ts'

const FILE = new URL('../../playground/bundle.yaml', import.meta.url)
const SLUG = 'playground'
const WEBHOOK_SLUG = 'new-order'
const FORM_SLUG = 'documents'
const SYSTEM: Actor = { kind: 'system', id: null, ip: null, requestId: null }

/** A Playground seeded by this process. */
export interface SeededPlayground {
  /** The secret of its API key; it can't be read again. */
  apiKey: string
  /** The sign-in credentials; the password can't be read again. null: the address already had an account. */
  owner: { email: string; password: string } | null
  agents: readonly { id: string; slug: string; name: string }[]
  /** In the order of {@link COORDINATION_MODES}. */
  teams: readonly { id: string; name: string; mode: CoordinationMode }[]
  /** The published workflows. */
  workflows: readonly { id: string; slug: string; name: string }[]
  /** The webhook of the workflow `new-order`, with its signing secret. */
  webhook: { workflowId: IdText<WorkflowId>; token: string; signingSecret: string } | null
  /** The token of the form of the workflow `documents`. */
  formToken: string | null
}

/**
 * Seeds the Playground on an empty database, or with `on` if it is missing. Existing data of users is never changed.
 *
 * @returns null if it existed already, or if another process seeded it first
 */
export async function seedPlayground(
  context: BundleContext,
  mode: 'on' | 'empty-only',
): Promise<SeededPlayground | null> {
  const { organizations, agents, teams, workflows } = context.database.read
  const stored = await organizations.all()
  if (mode === 'on' ? stored.some(({ slug }) => slug === SLUG) : stored.length > 0) return null
  const text = await readFile(FILE, 'utf8')
  const applied = await applyBundle(applyPartsOf(context), {
    text,
    variables: null,
    actor: SYSTEM,
    folder: bundleFolder(fileURLToPath(new URL('.', FILE))),
    readAtOnce: true,
  })
  const apiKey = applied.organizations[0]?.mintedKeys[0]?.secret
  const organization = await organizations.bySlug(SLUG)
  if (apiKey === undefined || organization === null) return null
  const addressed = ({ id, slug, name }: { id: string; slug: string | null; name: string }) => ({
    id,
    slug: slug ?? '',
    name,
  })
  const published = (await workflows.list(organization.id)).filter(
    ({ activeDeployment }) => activeDeployment !== null,
  )
  return {
    apiKey,
    owner: applied.organizations[0]?.mintedPasswords[0] ?? null,
    agents: (await agents.list(organization.id)).map(addressed),
    teams: (await teams.list(organization.id))
      .map(({ id, name, config }) => ({ id, name, mode: config.mode }))
      .sort((a, b) => COORDINATION_MODES.indexOf(a.mode) - COORDINATION_MODES.indexOf(b.mode)),
    workflows: published.map(addressed),
    webhook: await webhookOf(
      context,
      published.find(({ slug }) => slug === WEBHOOK_SLUG),
    ),
    formToken: await formTokenOf(
      context,
      published.find(({ slug }) => slug === FORM_SLUG),
    ),
  }
}

async function webhookOf(
  { database, secretBox, clock }: BundleContext,
  workflow: WorkflowRecord | undefined,
): Promise<SeededPlayground['webhook']> {
  if (!workflow) return null
  const { id, organizationId } = workflow
  const stored = await database.read.webhooks.secrets(organizationId, id)
  if (!stored) return null
  const { token, signingSecret } = openWebhookSecrets(secretBox, id, stored, clock.now())
  return { workflowId: id, token, signingSecret }
}

async function formTokenOf(
  { database, secretBox }: BundleContext,
  workflow: WorkflowRecord | undefined,
): Promise<string | null> {
  const stored = workflow && (await database.read.forms.settings(workflow.organizationId, workflow.id))
  return stored ? openFormToken(secretBox, workflow.id, stored.tokenSealed) : null
}
