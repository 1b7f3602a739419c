/**
 * The connection URL for the driver. The driver verifies certificates also for `sslmode=prefer`, `require` and
 * `verify-ca`, and warns on each start that this will change; `verify-full` names the actual behaviour.
 */
export function connectionUrl(url: string): string {
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

/** The address in a connection URL, without its password. A socket is the `host` of the query, as in `postgres:///db?host=/run/pg`. */
export interface DatabasePlace {
  /** `host:port`, or the folder of a socket. */
  server: string
  database: string
  user: string
}

/** Never throws, because the URL may have a form that only the driver understands. */
export function databasePlace(text: string): DatabasePlace {
  const withHost = text.replace(/^(\w+:\/\/(?:[^/?#]*@)?)(?=[/?]|$)/, '$1socket')
  if (!URL.canParse(withHost)) return { server: 'the address of DATABASE_URL', database: '', user: '' }
  const url = new URL(withHost)
  const user = decoded(url.username) || 'postgres'
  const host = url.searchParams.get('host') ?? url.hostname
  return {
    server: host.startsWith('/') ? host : `${host}:${url.port || '5432'}`,
    database: decoded(url.pathname.slice(1)) || user,
    user,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
