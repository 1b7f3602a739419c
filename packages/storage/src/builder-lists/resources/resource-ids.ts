import type { OrganizationId } from '@troupe/contract'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/** What runs, and is counted by its id. */
export type RunnableKind = 'agent' | 'team' | 'workflow'

const KINDS_OF = statement<'organizationId' | 'id'>(
  'kinds_of_id',
  (p) => `
select 'agent' as kind from agents where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
union all
select 'team' from teams where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
union all
select 'workflow' from workflows where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid`,
)

/** Reads what has an id. */
export function resourceIdRows(client: SqlClient) {
  return {
    /** What of the organization has this id; deleted workflows, which may be restored, too. */
    async kindsOf(organizationId: OrganizationId, id: string): Promise<RunnableKind[]> {
      const rows = await client.query<{ kind: RunnableKind }>(...KINDS_OF({ organizationId, id }))
      return rows.map(({ kind }) => kind)
    },
  }
}
