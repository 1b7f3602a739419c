import type { ToolCall, ToolOutcome } from '@troupe/agents/ports'
import type { CredentialId } from '@troupe/contract'
import type { ToolCredential } from '../credentials/credential-source.ts'
import type { ToolUse } from '../tool/tool-maker.ts'
import type { RequestParts } from './request-parts.ts'
import { sendRequest } from './send-request.ts'
import type { BuiltRequest } from './tool-request.ts'

/** Options of the requests of one tool. */
export interface RequestOptions {
  credentialId: CredentialId | null
  maxBytes: number
  /** Whether a call may be repeated: the server then gets an idempotency key. */
  idempotent: boolean
}

type Found = { ok: true; credential: ToolCredential | null } | { ok: false; outcome: ToolOutcome }

async function credentialOf(
  { agent }: ToolUse,
  parts: RequestParts,
  id: CredentialId | null,
): Promise<Found> {
  if (id === null) return { ok: true, credential: null }
  const credential = await parts.credentials.find(agent, id)
  if (credential) return { ok: true, credential }
  const message = `The credential ${id} of this tool does not exist, or this agent may not use it.`
  return { ok: false, outcome: { ok: false, code: 'failed', message } }
}

/** Sends a request that was built for a call, with the credential of its tool. */
export async function performRequest(
  built: BuiltRequest,
  call: ToolCall,
  { use, parts, options }: { use: ToolUse; parts: RequestParts; options: RequestOptions },
): Promise<ToolOutcome> {
  if (!built.ok) return built.outcome
  const { request } = built
  const found = await credentialOf(use, parts, options.credentialId)
  if (!found.ok) return found.outcome
  if (options.idempotent && request.method !== 'GET' && !request.headers.has('idempotency-key')) {
    request.headers.set('idempotency-key', `${use.run.runId}:${uniqueId(call)}`)
  }
  return sendRequest(request, call, {
    fetch: parts.fetch,
    credential: found.credential,
    maxBytes: options.maxBytes,
  })
}

/** The public id of a call, after the part of its key that distinguishes the members of a team. */
function uniqueId({ id, key }: ToolCall): string {
  return key.slice(0, key.lastIndexOf('/') + 1) + id
}
