import { type AnyPgColumn, foreignKey } from 'drizzle-orm/pg-core'

interface OwnedRow {
  organizationId: AnyPgColumn
  id: AnyPgColumn
}

/** A composite foreign key of the id and the organization, so that the referenced row is in the same organization. */
export function ofSameOrganization(
  name: string,
  { organizationId }: Pick<OwnedRow, 'organizationId'>,
  column: AnyPgColumn,
  row: OwnedRow,
) {
  return foreignKey({
    name,
    columns: [organizationId, column],
    foreignColumns: [row.organizationId, row.id],
  })
}
