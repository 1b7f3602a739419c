import { and, asc, count, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm'
import { number } from '../sql/client/columns.ts'
import { workflowPins as pins } from '../tables/configuration/pins.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import type { PinReader } from './port.ts'

const { removedStep: _step, removedAt: _at, ...COLUMNS } = getTableColumns(pins)

export function pinReader(db: Drizzle): PinReader {
  return {
    list: async (organizationId, workflowId) =>
      db
        .select(COLUMNS)
        .from(pins)
        .where(
          and(
            eq(pins.organizationId, organizationId),
            eq(pins.workflowId, workflowId),
            isNull(pins.removedStep),
          ),
        )
        .orderBy(asc(pins.nodeId)),
    async size(organizationId, workflowId, nodeId) {
      const [row] = await db
        .select({
          count: count(),
          bytes: expression(number(), sql`coalesce(sum(octet_length(${pins.output}::text)), 0)::float8`),
        })
        .from(pins)
        .where(
          and(
            eq(pins.organizationId, organizationId),
            eq(pins.workflowId, workflowId),
            ne(pins.nodeId, nodeId),
            isNull(pins.removedStep),
          ),
        )
      return row ?? { count: 0, bytes: 0 }
    },
  }
}
