import { randomUUID } from 'node:crypto'
import { asId } from '@troupe/contract'
import type { WrittenOrganization } from '@troupe/storage'

export function newOrganization(slug: string): WrittenOrganization {
  return { id: asId(randomUUID()), slug, name: slug, rpm: 1_000, concurrentRuns: 20 }
}
