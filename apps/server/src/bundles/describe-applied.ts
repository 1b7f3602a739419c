import type { AppliedBundle } from '@troupe/contract'
import type { Counts } from './plan/step.ts'

const KINDS = [
  ['projects', 'projects'],
  ['apiKeys', 'API keys'],
  ['llmConfigurations', 'LLM configurations'],
  ['agents', 'agents'],
  ['teams', 'teams'],
  ['workflows', 'workflows'],
  ['budgets', 'budgets'],
] as const

/** What applying a bundle changed, for people. */
export function describeApplied(applied: AppliedBundle): string {
  const organizations = applied.organizations.map((organization) => {
    const lines = KINDS.map(([kind, label]) => `  ${label.padEnd(20)}${describeCounts(organization[kind])}\n`)
    return `${organization.slug}\n${lines.join('')}`
  })
  return organizations.join('\n') + describeMintedKeys(applied)
}

/** The secrets of new keys; empty when there are none. */
export function describeMintedKeys({ organizations }: AppliedBundle): string {
  const lines = organizations.flatMap(({ slug, mintedKeys }) =>
    mintedKeys.map(({ name, secret }) => `  ${slug} / ${name}: ${secret}\n`),
  )
  return lines.length === 0 ? '' : `\nNew API keys, shown only now:\n\n${lines.join('')}`
}

function describeCounts(counts: Counts): string {
  const parts = (['created', 'updated', 'unchanged'] as const).flatMap((kind) =>
    counts[kind] > 0 ? [`${counts[kind]} ${kind}`] : [],
  )
  return parts.join(', ') || 'none'
}
