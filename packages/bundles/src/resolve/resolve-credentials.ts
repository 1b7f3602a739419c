import type { ProjectId } from '@troupe/contract'
import type { CredentialRecord } from '@troupe/database'
import { mayUseCredential } from '@troupe/operations/credentials/may-use-credential'
import type { NameLookup } from './name-lookup.ts'

type Json = Record<string, unknown>

/** Finds the credentials that tools may refer to. */
export type CredentialLookup = NameLookup<Pick<CredentialRecord, 'id' | 'projectId' | 'hosts'>>

/** Resolves the references of one agent. `report` takes paths below its `config`, which starts with `config`. */
export interface CredentialResolution {
  lookup: CredentialLookup
  /** null: an organization-level agent, which may use any credential. */
  projectId: ProjectId | null
  report: (path: string, message: string) => void
}

/** The configuration with every tool's `auth_credential` (slug or id) replaced by `auth_credential_id`. */
export function resolveCredentials(config: Json, resolution: CredentialResolution): Json {
  const { tools } = config
  if (!Array.isArray(tools)) return config
  return {
    ...config,
    tools: tools.map((tool: unknown, index) =>
      isObject(tool) ? resolveTool(tool, `config.tools.${index}`, resolution) : tool,
    ),
  }
}

function resolveTool(tool: Json, path: string, resolution: CredentialResolution): Json {
  const { auth_credential: named, ...rest } = tool
  if (named != null && rest.auth_credential_id != null) {
    resolution.report(`${path}.auth_credential`, 'must not be given together with auth_credential_id')
  }
  const [reference, at] =
    named != null
      ? [named, `${path}.auth_credential`]
      : [rest.auth_credential_id, `${path}.auth_credential_id`]
  if (reference == null) return rest
  return { ...rest, auth_credential_id: resolveReference(reference, at, resolution) }
}

/** The id; null when the reference is invalid, which is reported. */
function resolveReference(reference: unknown, path: string, resolution: CredentialResolution): string | null {
  const { lookup, projectId, report } = resolution
  if (typeof reference !== 'string') {
    report(path, 'must be the slug or the id of a credential')
    return null
  }
  const target = lookup(reference)
  if (target === undefined) report(path, `is not a credential of this organization: ${reference}`)
  if (!target) return null
  if (!mayUseCredential(projectId, target.projectId)) {
    report(path, `belongs to another project than the agent: ${reference}`)
  }
  return target.id
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
