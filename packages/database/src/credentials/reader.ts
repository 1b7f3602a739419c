import { credentials } from '@troupe/tables/configuration/credentials'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { Drizzle } from '../drizzle/drizzle.ts'
import type { CredentialReader } from './port.ts'

export function credentialReader(db: Drizzle): CredentialReader {
  const oldest = [asc(credentials.createdAt), asc(credentials.id)]
  return {
    async visible({ organizationId, projectId }) {
      const inProject =
        projectId === null
          ? undefined
          : or(isNull(credentials.projectId), eq(credentials.projectId, projectId))
      return db
        .select()
        .from(credentials)
        .where(and(eq(credentials.organizationId, organizationId), inProject))
        .orderBy(...oldest)
    },
    async list(organizationId) {
      return db
        .select()
        .from(credentials)
        .where(eq(credentials.organizationId, organizationId))
        .orderBy(...oldest)
    },
    async byId(organizationId, id) {
      const [row] = await db
        .select()
        .from(credentials)
        .where(and(eq(credentials.organizationId, organizationId), eq(credentials.id, id)))
      return row ?? null
    },
  }
}
