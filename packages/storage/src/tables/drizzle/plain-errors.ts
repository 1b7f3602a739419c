import { DrizzleQueryError } from 'drizzle-orm'

type Methods = Record<string, (...values: never[]) => Promise<unknown>>

/**
 * The same readers or writers, throwing the client's error instead of Drizzle's. Drizzle's error repeats the
 * SQL and every value in its message, which would put names, configurations and secrets in logs.
 */
export function withPlainErrors<Groups extends { [Name in keyof Groups]: object }>(groups: Groups): Groups {
  const wrapped = Object.entries(groups as Record<string, Methods>).map(([name, methods]) => [
    name,
    Object.fromEntries(Object.entries(methods).map(([verb, method]) => [verb, plainly(method)])),
  ])
  return Object.fromEntries(wrapped) as Groups
}

function plainly(method: Methods[string]): Methods[string] {
  return async (...values) => {
    try {
      return await method(...values)
    } catch (error) {
      throw error instanceof DrizzleQueryError && error.cause ? error.cause : error
    }
  }
}
