import type { SqlValue, Statement } from './sql-client.ts'

/** The placeholder of each parameter in a statement's text: `$1`, `$2` and so on. */
export type Placeholders<Name extends string> = Readonly<Record<Name, string>>

/** The values of a statement's parameters, by name. */
export type ParameterValues<Name extends string> = Readonly<Record<Name, SqlValue>>

/** A statement with its values in order, as `SqlClient.query` takes them. */
export type BoundStatement = [statement: Statement, values: SqlValue[]]

/**
 * A hand-written statement whose parameters have names. They are numbered once, in the order in which the text first
 * uses them; values that the text does not use are not sent. The names are a type argument, so that a text or a call
 * that names another parameter does not compile.
 *
 * @param name Unique in the program, as `Statement.name`.
 */
export function statement<Name extends string = never>(
  name: string,
  text: (placeholders: Placeholders<Name>) => string,
): (values: ParameterValues<Name>) => BoundStatement {
  const order: string[] = []
  const placeholders = new Proxy({} as Placeholders<Name>, {
    get(_, parameter) {
      const known = order.indexOf(String(parameter))
      return `$${known === -1 ? order.push(String(parameter)) : known + 1}`
    },
  })
  const numbered = { name, text: text(placeholders) }
  return (values: Readonly<Record<string, SqlValue>>) => [
    numbered,
    order.map((parameter) => values[parameter] ?? null),
  ]
}
