import { type AnyPgColumn, foreignKey } from 'drizzle-orm/pg-core'

interface OwnedRow {
  organizationId: AnyPgColumn
  id: AnyPgColumn
}

/** A foreign key to a row of the same organization, which the key names together with the row. */
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
