import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { storableText } from '../../sql/client/storable.ts'

/** A page number; the first page is 1. */
interface Page {
  page: number
  limit: number
}

/** A page of rows whose name contains a text, or whose id starts with it. */
export interface NamedPage extends Page {
  /** Absent or empty: any name. */
  q?: string | undefined
}

/** Whether a name contains the text of a page, ignoring case, or an id starts with it. */
export function hasInName(name: PgColumn, { q }: NamedPage, id?: PgColumn): SQL | undefined {
  if (!q) return undefined
  const text = sql`lower_case(${storableText(q)}::text)`
  const named = sql`position(${text} in lower_case(${name})) > 0`
  return id ? sql`(${named} or starts_with(${id}::text, ${text}))` : named
}

/** The number of rows before a page. */
export function offsetOf({ page, limit }: Page): number {
  return (page - 1) * limit
}

/** The rows of a page with the exact total, which is counted only when the page does not reveal it. */
export async function withTotal<Row>(
  page: Page,
  rows: Row[],
  count: () => PromiseLike<{ total: number }[]>,
): Promise<{ rows: Row[]; total: number }> {
  // A partly filled page is the last one; an empty page may be any number of pages beyond the end.
  const isLast = rows.length < page.limit && (rows.length > 0 || page.page === 1)
  if (isLast) return { rows, total: offsetOf(page) + rows.length }
  const [counted] = await count()
  return { rows, total: counted?.total ?? 0 }
}
