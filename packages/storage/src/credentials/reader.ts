import type { OrganizationId } from '@troupe/contract'
import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import { credentials } from '../tables/configuration/credentials.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { CredentialReader } from './port.ts'

export function credentialReader(db: Drizzle): CredentialReader {
  const those = (organizationId: OrganizationId, where?: SQL) =>
    db
      .select()
      .from(credentials)
      .where(and(eq(credentials.organizationId, organizationId), where))
      .orderBy(asc(credentials.createdAt), asc(credentials.id))
  return {
    async visible({ organizationId, projectId }) {
      if (projectId === null) return those(organizationId)
      return those(organizationId, or(isNull(credentials.projectId), eq(credentials.projectId, projectId)))
    },
    list: async (organizationId) => those(organizationId),
    byId: async (organizationId, id) => (await those(organizationId, eq(credentials.id, id)))[0] ?? null,
  }
}
