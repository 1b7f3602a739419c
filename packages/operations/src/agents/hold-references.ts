import { KnowledgeBaseId, type OrganizationId, parseId, propertyOf } from '@troupe/contract'
import type { Transaction } from '@troupe/storage'
import { namesOf } from '../skills/resolve-skills.ts'

/**
 * Holds the knowledge bases and skills of a configuration until the transaction ends, so that none is deleted while it
 * is saved. Lock order of every writer, against deadlocks: organization, references, stored agents.
 *
 * Credentials, MCP servers, LLM configurations and agents are deleted, moved and archived under the organization's
 * lock, so the caller holds or locks the organization before it checks any reference. Without that, a save could find a
 * credential whose deletion does not see the agent of the open transaction as a user, and the agent would keep a
 * dangling id.
 *
 * @param config validated or not; other values than references are ignored
 */
export async function holdReferences(
  { knowledge, skills }: Pick<Transaction['write'], 'knowledge' | 'skills'>,
  organizationId: OrganizationId,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  const bases = listIn(propertyOf(config.knowledge, 'base_ids')).flatMap(
    (id) => (typeof id === 'string' && parseId(KnowledgeBaseId, id)) || [],
  )
  if (bases.length > 0) {
    await knowledge.hold(organizationId, bases)
  }
  const { ids, slugs } = namesOf(
    listIn(config.skills).map((skill) => {
      const [id, slug] = [propertyOf(skill, 'skill_id'), propertyOf(skill, 'slug')]
      return { ...(typeof id === 'string' && { skill_id: id }), ...(typeof slug === 'string' && { slug }) }
    }),
  )
  if (ids.length > 0 || slugs.length > 0) await skills.hold(organizationId, { ids, slugs })
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
