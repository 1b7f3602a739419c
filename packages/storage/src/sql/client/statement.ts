import type { Columns, OuterRowOfColumns, RowOfColumns } from './columns.ts'
import type { SqlValue, Statement } from './sql-client.ts'

/** The placeholder of each parameter in a statement's text: `$1`, `$2` and so on. */
export type Placeholders<Name extends string> = Readonly<Record<Name, string>>

/** The values of a statement's parameters, by name. */
export type ParameterValues<Name extends string> = Readonly<Record<Name, SqlValue>>

/** A statement with its values in order, as `SqlClient.query` takes them. */
export type BoundStatement<Row = never> = [statement: Statement<Row>, values: SqlValue[]]

/** A statement that is called with the values of its parameters. */
type CallableStatement<Name extends string, Row> = (values: ParameterValues<Name>) => BoundStatement<Row>

/** The row that a statement returns, for example `RowOf<typeof FIND_AGENT>`. */
export type RowOf<S extends (values: never) => BoundStatement<unknown>> = NonNullable<ReturnType<S>[0]['row']>

/** A statement before its columns are declared. */
type UndeclaredStatement<Name extends string> = CallableStatement<Name, never> & {
  /** Declares the columns that the statement returns, from which its row's type follows. */
  returning<C extends Columns>(columns: C): CallableStatement<Name, RowOfColumns<C>>
  /** Declares the columns of the optional side of an outer join separately: a row has all of them, or only nulls. */
  returning<C extends Columns, O extends Columns>(
    columns: C,
    outer: O,
  ): CallableStatement<Name, RowOfColumns<C> & OuterRowOfColumns<O>>
}

/** Every statement that was made, by name; a test compares all of them with the migrated schema. */
const MADE = new Map<string, Statement<unknown>>()

export const madeStatements: ReadonlyMap<string, Statement<unknown>> = MADE

/** @throws Error for a different text under a known name: a connection would run the text that it prepared first. */
function made<Row>(one: Statement<Row>): Statement<Row> {
  const known = MADE.get(one.name)
  if (known && known.text !== one.text) throw new Error(`There are two statements with the name ${one.name}.`)
  if (!known?.columns) MADE.set(one.name, one)
  return one
}

/**
 * A hand-written statement whose parameters have names. They are numbered once, in the order in which the text first
 * uses them; values that the text does not use are not sent. The names are a type argument, so that an unknown
 * parameter in the text or in a call does not compile.
 *
 * @param name Unique in the program, as `Statement.name`.
 * @throws Error when another statement has the name
 */
export function statement<Name extends string = never>(
  name: string,
  text: (placeholders: Placeholders<Name>) => string,
): UndeclaredStatement<Name> {
  const order: string[] = []
  const placeholders = new Proxy({} as Placeholders<Name>, {
    get(_, parameter) {
      const known = order.indexOf(String(parameter))
      return `$${known === -1 ? order.push(String(parameter)) : known + 1}`
    },
  })
  const numbered = made<never>({ name, text: text(placeholders) })
  const callable =
    <Row>(bound: Statement<Row>): CallableStatement<Name, Row> =>
    (values: Readonly<Record<string, SqlValue>>) => [
      bound,
      order.map((parameter) => values[parameter] ?? null),
    ]
  return Object.assign(callable<never>(numbered), {
    returning: <C extends Columns, O extends Columns>(columns: C, outer?: O) =>
      callable(
        made<RowOfColumns<C> & OuterRowOfColumns<O>>({
          ...{ name, text: numbered.text, columns },
          ...(outer && { outer }),
        }),
      ),
  })
}
