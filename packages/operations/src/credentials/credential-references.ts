import { type AgentConfig, GUARDRAIL_STAGES } from '@troupe/contract'
import type { CredentialRecord } from '@troupe/storage'
import { unsendableByTool, unsendableTo } from './credential-hosts.ts'

/** A credential that a configuration names. */
export interface CredentialReference {
  id: string
  path: string
  /** Why the credential could never be sent; null if it could. */
  faultOf(credential: Pick<CredentialRecord, 'hosts'>): string | null
}

/** Every credential that tools name, with its path below `path`. */
export function toolCredentials(tools: AgentConfig['tools'], path: string): CredentialReference[] {
  return tools.flatMap((tool, index) => {
    const id = 'auth_credential_id' in tool ? tool.auth_credential_id : null
    if (!id) return []
    return {
      id: id.toLowerCase(),
      path: `${path}.${index}.auth_credential_id`,
      faultOf: (credential) => unsendableByTool(tool, credential),
    }
  })
}

/** Every credential that rules name, with its path below `path`. */
export function guardrailCredentials(
  guardrails: AgentConfig['guardrails'],
  path: string,
): CredentialReference[] {
  return GUARDRAIL_STAGES.flatMap((stage) =>
    guardrails[stage].flatMap((rule, index) => {
      if (rule.type !== 'webhook' || !rule.credential_id) return []
      return {
        id: rule.credential_id.toLowerCase(),
        path: `${path}.${stage}.${index}.credential_id`,
        faultOf: (credential) => unsendableTo(rule.url, credential),
      }
    }),
  )
}

/** Every credential that an agent names, with its path. */
export function agentCredentials({ tools, guardrails }: AgentConfig): CredentialReference[] {
  return [...toolCredentials(tools, 'config.tools'), ...guardrailCredentials(guardrails, 'config.guardrails')]
}
