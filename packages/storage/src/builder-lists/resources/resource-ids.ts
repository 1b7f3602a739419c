import type { OrganizationId } from '@troupe/contract'
import { text } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/** The kinds of runnable resources whose runs are counted by id. */
export type RunnableKind = 'agent' | 'team' | 'workflow'

const KINDS_OF = statement<'organizationId' | 'id'>(
  'kinds_of_id',
  (p) => `
select 'agent' as kind from agents where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
union all
select 'team' from teams where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
union all
select 'workflow' from workflows where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid`,
).returning({ kind: text<RunnableKind>() })

/** Looks up resources by id. */
export function resourceIdRows(client: SqlClient) {
  return {
    /** The kinds of resources of the organization with this id; includes deleted workflows, which may be restored. */
    async kindsOf(organizationId: OrganizationId, id: string): Promise<RunnableKind[]> {
      const rows = await client.query(...KINDS_OF({ organizationId, id }))
      return rows.map(({ kind }) => kind)
    },
  }
}
