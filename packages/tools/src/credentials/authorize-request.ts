import type { CredentialId } from '@troupe/contract'
import { attachCredential, secretTexts } from './attach-credential.ts'
import type { CredentialSource } from './credential-source.ts'
import { type HideTexts, textHider } from './text-hider.ts'

/** A request with its credential and a function that hides it in the response, or why the request must not be sent. */
type Authorization = { ok: true; hide: HideTexts } | { ok: false; message: string }

/** Adds a stored credential of an agent or a team to a request that does not come from a tool. */
export async function authorizeRequest(
  credentials: CredentialSource,
  owner: Parameters<CredentialSource['find']>[0],
  credentialId: CredentialId,
  { url, headers }: { url: URL; headers: Headers },
): Promise<Authorization> {
  const credential = await credentials.find(owner, credentialId)
  if (!credential) {
    return {
      ok: false,
      message: `The credential ${credentialId} does not exist, or it may not be used here.`,
    }
  }
  if (!attachCredential(credential, url, headers)) {
    return { ok: false, message: `The credential ${credential.name} does not cover the host of the URL.` }
  }
  return { ok: true, hide: textHider(secretTexts(credential)) }
}
