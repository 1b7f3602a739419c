import type { Served } from './served.ts'

const HOOK = 'a4000000-0000-4000-8000-000000000005'
const OPEN_FORM = 'a4000000-0000-4000-8000-000000000006'

/** Starts a listener for the webhook and one for the open form of the bundle, and returns the tokens of their test addresses. */
export async function startListeners({
  url,
  credentials,
}: Served): Promise<Record<'test-webhooks' | 'test-forms', string[]>> {
  const listen = async (workflowId: string, kind: 'webhook' | 'form') => {
    const path = `/api/builder/v1/organizations/acme/workflows/${workflowId}/listeners`
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${credentials.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind }),
    })
    const text = await answer.text()
    const token = /"url":"[^"]+\/([^"/]+)"/.exec(text)?.[1]
    if (token === undefined) throw new Error(`POST ${path} answered ${answer.status}: ${text}`)
    return [token]
  }
  return { 'test-webhooks': await listen(HOOK, 'webhook'), 'test-forms': await listen(OPEN_FORM, 'form') }
}
