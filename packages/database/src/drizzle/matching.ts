import { type Column, ilike, or, type SQL, sql } from 'drizzle-orm'

/** Rows with a text that contains what was typed, without regard to case, or an id that starts with it. */
export function matching(typed: string, texts: readonly Column[], id: Column): SQL | undefined {
  const escaped = typed.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return or(
    ...texts.map((text) => ilike(text, `%${escaped}%`)),
    sql`${id}::text like ${`${escaped.toLowerCase()}%`}`,
  )
}
