/** Advisory lock ids of this program, all in one place. Another program in the same database must avoid them. */
export const REPLICA_LOCK = 8_741_209_001
export const MIGRATION_LOCK = 8_741_209_002
