/** How a result column is parsed: `number` covers every integer, float and numeric type. */
export type ColumnKind = 'uuid' | 'text' | 'number' | 'boolean' | 'timestamp' | 'json' | 'integers'

/** Whether a column can be null, and how that is known. */
type Nulls =
  /** Never null: the table forbids it, or the expression cannot return it. */
  | 'none'
  /** Never null, although the table allows it: the statement excludes rows with null. */
  | 'excluded'
  | 'possible'

/** A column that a statement returns; `Value` is its type after parsing (`result-values.ts`). */
export interface Column<Value> {
  kind: ColumnKind
  nulls: Nulls
  /** Only for the type checker; no column has it. */
  readonly value?: Value
}

/** The columns that a statement returns, by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>

/** The row that columns describe. */
export type RowOfColumns<C extends Columns> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never
}

/** The row of the optional side of an outer join: as declared, or nulls. */
export type OuterRowOfColumns<C extends Columns> = RowOfColumns<C> | { -readonly [Name in keyof C]: null }

const column = <Value>(kind: ColumnKind): Column<Value> => ({ kind, nulls: 'none' })

/** An id of one kind, for example `uuid<AgentId>()`. */
export const uuid = <Id extends string>() => column<Id>('uuid')
/** Text; with a type argument, one of the values that a check constraint of the table allows. */
export const text = <Value extends string = string>() => column<Value>('text')
export const number = <Value extends number = number>() => column<Value>('number')
export const boolean = () => column<boolean>('boolean')
export const timestamp = () => column<Date>('timestamp')
/** A parsed document. Its inner shape is asserted by the caller and not checked. */
export const json = <Value>() => column<Value>('json')
/** An `integer[]`. */
export const integers = () => column<number[]>('integers')

/** A column that can be null. */
export function nullable<Value>(of: Column<Value>): Column<Value | null> {
  return { kind: of.kind, nulls: 'possible' }
}

/** A column that is nullable in the table, while the statement excludes the rows in which it is null. */
export function notNull<Value>(of: Column<Value>): Column<Value> {
  return { kind: of.kind, nulls: 'excluded' }
}
