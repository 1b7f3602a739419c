import {
  AgentId,
  checkedId,
  KnowledgeBaseId,
  type OrganizationId,
  TeamId,
  WorkflowId,
} from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/** Whether an id that a bundle assigns to a new row is already used by another row. */
export class TakenIds {
  readonly #read: Readers
  #loaded: Promise<{ ids: Set<string>; organizations: OrganizationId[] }> | null = null

  constructor(read: Readers) {
    this.#read = read
  }

  /** Searches every organization and kind. */
  async has(id: string): Promise<boolean> {
    this.#loaded ??= this.#load()
    const { ids, organizations } = await this.#loaded
    if (ids.has(id.toLowerCase())) return true
    for (const organizationId of organizations) {
      if (await this.#read.agents.byId(organizationId, checkedId(AgentId, id))) return true
      if (await this.#read.teams.byId(organizationId, checkedId(TeamId, id))) return true
      if ((await this.#read.knowledge.bases(organizationId, [checkedId(KnowledgeBaseId, id)])).length > 0)
        return true
      if (await this.#read.workflows.byId(organizationId, checkedId(WorkflowId, id))) return true
    }
    return false
  }

  async #load() {
    const organizations = (await this.#read.organizations.all()).map(({ id }) => id)
    const ids = new Set<string>(organizations)
    for (const id of organizations) {
      const { projects, apiKeys, llmConfigurations, credentials, mcpServers } = this.#read
      const { voiceConfigurations, budgets } = this.#read
      const settings = [llmConfigurations, credentials, mcpServers, voiceConfigurations, budgets]
      for (const list of [projects, apiKeys, ...settings]) {
        for (const row of await list.list(id)) ids.add(row.id)
      }
      const { phone } = this.#read
      for (const row of [...(await phone.trunks(id)), ...(await phone.numbers(id))]) ids.add(row.id)
    }
    return { ids, organizations }
  }
}
