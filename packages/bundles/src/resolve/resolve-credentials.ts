import { isJsonObject, type ProjectId } from '@troupe/contract'
import type { CredentialReference } from '@troupe/operations/credentials/credential-references'
import { mayUseCredential } from '@troupe/operations/credentials/may-use-credential'
import type { CredentialRecord } from '@troupe/storage'
import type { NameLookup } from './name-lookup.ts'
import { withRenamedKey } from './with-renamed-key.ts'

type Json = Record<string, unknown>

/** Finds the credentials that agents and teams may refer to. */
export type CredentialLookup = NameLookup<Pick<CredentialRecord, 'id' | 'projectId' | 'hosts'>>

/** Resolves the references of one agent or team. `report` takes their paths. */
export interface CredentialResolution {
  lookup: CredentialLookup
  /** null: at the organization level, where any credential may be used. */
  projectId: ProjectId | null
  owner: 'agent' | 'team'
  report: (path: string, message: string) => void
}

/** The configuration with every credential of tools and rules (slug or id) replaced by its id. */
export function resolveCredentials(config: Json, resolution: CredentialResolution): Json {
  const { tools, guardrails } = config
  return {
    ...config,
    ...(Array.isArray(tools) && { tools: resolveAll(tools, 'auth_credential', 'config.tools', resolution) }),
    ...(isJsonObject(guardrails) && {
      guardrails: resolveRuleCredentials(guardrails, 'config.guardrails', resolution),
    }),
  }
}

/** The rules of `guardrails` with every `credential` replaced by `credential_id`. */
export function resolveRuleCredentials(
  guardrails: Json,
  path: string,
  resolution: CredentialResolution,
): Json {
  const stages = Object.entries(guardrails).map(([stage, rules]) => [
    stage,
    Array.isArray(rules) ? resolveAll(rules, 'credential', `${path}.${stage}`, resolution) : rules,
  ])
  return Object.fromEntries(stages)
}

/** The items with `key` replaced by `<key>_id`; an item that is not an object is left for the validation. */
function resolveAll(
  items: readonly unknown[],
  key: 'auth_credential' | 'credential',
  path: string,
  resolution: CredentialResolution,
): unknown[] {
  return items.map((item, index) =>
    isJsonObject(item) ? resolveItem(item, key, `${path}.${index}`, resolution) : item,
  )
}

function resolveItem(
  item: Json,
  key: 'auth_credential' | 'credential',
  path: string,
  resolution: CredentialResolution,
): Json {
  const { [key]: named, ...rest } = item
  const idKey = `${key}_id`
  if (named != null && rest[idKey] != null) {
    resolution.report(`${path}.${key}`, `must not be given together with ${idKey}`)
  }
  if (named != null) {
    return withRenamedKey(item, key, idKey, resolveReference(named, `${path}.${key}`, resolution))
  }
  if (rest[idKey] == null) return rest
  return { ...rest, [idKey]: resolveReference(rest[idKey], `${path}.${idKey}`, resolution) }
}

/** The id; null when the reference is invalid, which is reported. */
function resolveReference(reference: unknown, path: string, resolution: CredentialResolution): string | null {
  const { lookup, projectId, owner, report } = resolution
  if (typeof reference !== 'string') {
    report(path, 'must be the slug or the id of a credential')
    return null
  }
  const target = lookup(reference)
  if (target === undefined) report(path, `is not a credential of this organization: ${reference}`)
  if (!target) return null
  if (!mayUseCredential(projectId, target.projectId)) {
    report(path, `belongs to another project than the ${owner}: ${reference}`)
  }
  return target.id
}

/** Reports every credential that could never be sent, with its path. */
export function reportUnsendable(
  references: readonly CredentialReference[],
  lookup: CredentialLookup,
  report: CredentialResolution['report'],
): void {
  for (const { id, path, faultOf } of references) {
    const credential = lookup(id)
    const message = credential ? faultOf(credential) : null
    // In a bundle, the path ends with the credential itself, not with its id.
    if (message !== null) report(path.slice(0, -'_id'.length), message)
  }
}
