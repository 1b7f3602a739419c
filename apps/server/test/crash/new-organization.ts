import { newId, OrganizationId } from '@troupe/contract'
import type { WrittenOrganization } from '@troupe/storage'

export function newOrganization(slug: string): WrittenOrganization {
  return { id: newId(OrganizationId), slug, name: slug, rpm: 1_000, concurrentRuns: 20 }
}
