import type { AppliedBundle, OrganizationId } from '@troupe/contract'
import { applyBundle } from '../apply-bundle.ts'
import type { BundleError } from '../read/problem.ts'
import { type BundleParts, TEST_ACTOR } from './bundle-parts.ts'

const sandbox = 'providerId: sandbox, models: [{ modelId: m }]'

/** Two projects, agents, teams and LLM configurations; `off` is disconnected. */
const FURNITURE = `    projects: [{ slug: one, name: One }, { slug: two, name: Two }]
    llmConfigurations:
      - { slug: main, name: Main, default: true, ${sandbox} }
      - { slug: of-one, name: Of one, project: one, ${sandbox} }
      - { slug: off, name: Off, status: disconnected, ${sandbox} }
    agents:
      - { slug: a, name: A, status: active }
      - { slug: b, name: B }
      - { slug: in-one, name: In one, project: one }
      - { slug: old, name: Old, status: archived }
    teams:
      - { slug: desk, name: Desk, mode: handoff, lead: { agent: b }, members: [{ agent: a }] }
      - { slug: desk-of-one, name: Desk of one, project: one, mode: handoff, lead: { agent: b }, members: [{ agent: a }] }
`

/** Creates organizations that tests extend. */
export class Organizations {
  readonly #parts: BundleParts
  #round = 0

  constructor(parts: BundleParts) {
    this.#parts = parts
  }

  /** Creates an organization with projects, agents, teams and LLM configurations and returns its slug. */
  async furnished(more = ''): Promise<string> {
    this.#round += 1
    const slug = `acme-${this.#round}`
    await this.apply(slug, FURNITURE)
    if (more !== '') await this.apply(slug, more)
    return slug
  }

  /** Applies a body, whose first line is line 5 of the bundle, and returns the changes. */
  async apply(slug: string, body: string): Promise<AppliedBundle['organizations'][number]> {
    const text = `apiVersion: troupe/v1\norganizations:\n  - slug: ${slug}\n    name: Acme\n${body}`
    const { organizations } = await applyBundle(this.#parts, { text, variables: {}, actor: TEST_ACTOR })
    const [applied] = organizations
    if (!applied) throw new Error('the bundle has no organization')
    return applied
  }

  /** Every problem of a body: line, path below the organization, message. */
  async problems(slug: string, body: string): Promise<string[]> {
    const error = (await this.apply(slug, body).catch((thrown: unknown) => thrown)) as BundleError
    return error.problems.map(({ path, message, line }) => `${line} ${path.slice(16)}: ${message}`)
  }

  async id(slug: string): Promise<OrganizationId> {
    const organization = await this.#parts.database.read.organizations.bySlug(slug)
    if (!organization) throw new Error('the organization is missing')
    return organization.id
  }
}
