import { propertyOf } from '@troupe/contract'
import { BUILDER_OPERATIONS, type BuilderOperationId } from '@troupe/contract/builder'
import type { TestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'

/**
 * Calls the builder's API of an organization as the operator, or with the headers of a user, and remembers the
 * requests.
 */
export class Maker {
  readonly #server: TestServer
  readonly #organizationId: string
  readonly #headers: Record<string, string>
  readonly #sent = new Map<BuilderOperationId, object[]>()

  constructor(
    server: TestServer,
    organizationId: string,
    headers: Record<string, string> = { authorization: `Bearer ${server.adminToken}` },
  ) {
    this.#server = server
    this.#headers = headers
    this.#organizationId = organizationId
  }

  /** The bodies of an operation so far. */
  sent(id: BuilderOperationId): readonly object[] {
    return this.#sent.get(id) ?? []
  }

  /**
   * The body of the response. Parameters of the path are taken from `params`; the others are those of the query.
   */
  async ask(id: BuilderOperationId, params: Record<string, string> = {}, body?: object): Promise<unknown> {
    const { method, path } = BUILDER_OPERATIONS[id]
    const given: Record<string, string> = { organizationId: this.#organizationId, ...params }
    const query = Object.entries(params).filter(([name]) => !path.includes(`{${name}}`))
    const base = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '')
    const url = query.length === 0 ? base : `${base}?${new URLSearchParams(query)}`
    if (body) this.#sent.set(id, [...this.sent(id), body])
    const answer = await this.#server.call(`${method} ${url}`, {
      key: null,
      headers: this.#headers,
      ...(body ? { body } : {}),
    })
    expect(answer.status, `${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }

  /** Creates a resource, and returns its id, the field `idKey` of the response. */
  async make(id: BuilderOperationId, idKey: string, body: object): Promise<string> {
    return String(propertyOf(await this.ask(id, {}, body), idKey))
  }
}
