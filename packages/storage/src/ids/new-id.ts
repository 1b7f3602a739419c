import { randomUUID } from 'node:crypto'

/** A random id for a new row. */
export function newId<Id extends string>(): Id {
  return randomUUID() as string as Id
}
