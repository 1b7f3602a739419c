import { expect } from 'vitest'
import type { Journey } from './journey.ts'

/**
 * Calls the builder's API of the seeded organization as the operator: `asOperator(journey, 'POST /agents', { name })`.
 * Fails unless the response is a success.
 */
export async function asOperator<Body>({ server }: Journey, target: string, body?: object): Promise<Body> {
  const [method, path] = target.split(' ')
  const answer = await server.call(
    `${method} /api/builder/v1/organizations/${server.seed.organizationId}${path}`,
    {
      key: null,
      headers: { authorization: `Bearer ${server.adminToken}` },
      ...(body ? { body } : {}),
    },
  )
  expect(answer.status, `${target}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  // The caller specifies the response type of the contract.
  return answer.body as Body
}
