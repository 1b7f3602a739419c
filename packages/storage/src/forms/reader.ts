import { and, eq, isNull } from 'drizzle-orm'
import { workflowDeployments, workflows } from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { FormCredentials, FormReader } from './port.ts'

const credentialColumns = {
  username: workflows.formUsername,
  passwordHash: workflows.formPasswordHash,
  credentialVersion: workflows.formCredentialVersion,
}

/** Both columns are written together. */
function toCredentials(row: {
  username: string | null
  passwordHash: string | null
}): FormCredentials | null {
  const { username, passwordHash } = row
  return username === null || passwordHash === null ? null : { username, passwordHash }
}

export function formReader(db: Drizzle): FormReader {
  return {
    async byToken(tokenHash) {
      const [row] = await db
        .select({
          workflowId: workflows.id,
          organizationId: workflows.organizationId,
          projectId: workflows.projectId,
          versionId: workflowDeployments.versionId,
          ...credentialColumns,
        })
        .from(workflows)
        .innerJoin(workflowDeployments, eq(workflowDeployments.id, workflows.activeDeploymentId))
        .where(and(eq(workflows.formTokenHash, tokenHash), isNull(workflows.deletedAt)))
      if (!row) return null
      const { username: _, passwordHash: __, ...record } = row
      return { ...record, credentials: toCredentials(row) }
    },
    async ownerOf(tokenHash) {
      const [row] = await db
        .select({ id: workflows.id })
        .from(workflows)
        .where(eq(workflows.formTokenHash, tokenHash))
      return row?.id ?? null
    },
    async settings(organizationId, workflowId) {
      const [row] = await db
        .select({
          tokenHash: workflows.formTokenHash,
          tokenSealed: workflows.formTokenSealed,
          ...credentialColumns,
        })
        .from(workflows)
        .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
      if (!row || row.tokenHash === null || row.tokenSealed === null) return null
      const { tokenHash, tokenSealed, credentialVersion } = row
      return { tokenHash, tokenSealed, credentials: toCredentials(row), credentialVersion }
    },
  }
}
