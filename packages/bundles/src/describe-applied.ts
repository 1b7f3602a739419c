import type { AppliedBundle } from '@troupe/contract'
import type { Counts } from './resolve/step.ts'

const KINDS = [
  ['projects', 'projects'],
  ['members', 'members'],
  ['apiKeys', 'API keys'],
  ['llmConfigurations', 'LLM configurations'],
  ['credentials', 'credentials'],
  ['knowledgeBases', 'knowledge bases'],
  ['documents', 'documents'],
  ['skills', 'skills'],
  ['mcpServers', 'MCP servers'],
  ['agents', 'agents'],
  ['voiceConfigurations', 'voices'],
  ['trunks', 'trunks'],
  ['phoneNumbers', 'phone numbers'],
  ['teams', 'teams'],
  ['workflows', 'workflows'],
  ['budgets', 'budgets'],
] as const

/** Describes the changes of an applied bundle, for the operator. */
export function describeApplied(applied: AppliedBundle): string {
  const organizations = applied.organizations.map((organization) => {
    const lines = KINDS.map(([kind, label]) => `  ${label.padEnd(20)}${describeCounts(organization[kind])}\n`)
    return `${organization.slug}\n${lines.join('')}`
  })
  return organizations.join('\n') + describeWarnings(applied) + describeMintedSecrets(applied)
}

/** Settings that have no effect as written; empty if there are none. */
function describeWarnings({ warnings = [] }: AppliedBundle): string {
  const lines = warnings.map(
    ({ line, path, message }) => `  ${line === null ? '' : `line ${line}: `}${path} ${message}\n`,
  )
  return lines.length === 0 ? '' : `\nApplied, but some settings do not work as written:\n\n${lines.join('')}`
}

/** The secrets of new keys and the passwords of new users, which are shown only once. Empty if there are none. */
export function describeMintedSecrets({ organizations }: AppliedBundle): string {
  const keys = organizations.flatMap(({ slug, mintedKeys }) =>
    mintedKeys.map(({ name, secret }) => `  ${slug} / ${name}: ${secret}\n`),
  )
  const passwords = organizations.flatMap(({ slug, mintedPasswords }) =>
    mintedPasswords.map(({ email, password }) => `  ${slug} / ${email}: ${password}\n`),
  )
  return (
    (keys.length === 0 ? '' : `\nNew API keys, shown only now:\n\n${keys.join('')}`) +
    (passwords.length === 0 ? '' : `\nPasswords of new members, shown only now:\n\n${passwords.join('')}`)
  )
}

function describeCounts(counts: Counts): string {
  const parts = (['created', 'updated', 'unchanged'] as const).flatMap((kind) =>
    counts[kind] > 0 ? [`${counts[kind]} ${kind}`] : [],
  )
  return parts.join(', ') || 'none'
}
