/** Appended where a pooler in front of PostgreSQL shares connections between transactions. */
export const NEEDS_SESSIONS =
  'DATABASE_URL leads to a pooler that uses a different connection for each transaction (pool_mode=transaction or statement). Troupe needs sessions, for LISTEN, advisory locks and prepared statements: set pool_mode=session, or connect to PostgreSQL itself.'
