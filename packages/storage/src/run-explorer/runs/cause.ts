/** Statuses of failed runs of every kind. */
export const FAILED_STATUSES = [
  'failed',
  'timeout',
  'loop_limit_reached',
  'policy_blocked',
  'concurrency_limit_reached',
] as const

/** The same as a list of SQL. */
export const FAILED_LIST = FAILED_STATUSES.map((status) => `'${status}'`).join(', ')

/** The first line of an error without its numbers and ids, so that equal causes are one group; '' without an error. */
const firstLine = (column: string) =>
  `coalesce(left(regexp_replace(left(split_part(${column}, chr(10), 1), 1000), '[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+', '…', 'gi'), 200), '')`

/** The cause of a failed run of an agent or a team, over a row of `runs`: its message, or its code if there is none. */
export const agentCause = (row: string) =>
  `coalesce(nullif(${firstLine(`${row}.error_message`)}, ''), ${row}.error_code, '')`

/** The cause of a failed run of a workflow, over a row of `workflow_runs`. */
export const workflowCause = (row: string) => firstLine(`${row}.error`)

/** The name of the failed entity, over a row of grouped failures; null if it is deleted. */
export const entityName = (row: string, organization: string) => `case ${row}.kind
  when 'agent' then (select name from agents where id = ${row}.entity_id and organization_id = ${organization})
  when 'team' then (select name from teams where id = ${row}.entity_id and organization_id = ${organization})
  else (select name from workflows where id = ${row}.entity_id and organization_id = ${organization}) end`
