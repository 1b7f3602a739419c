export { userMemoryStore } from './memories/user-memories.ts'
export type * from './usage/port.ts'
export { recordUsage } from './usage/record-usage.ts'
export { rollUpUsage } from './usage/roll-up.ts'
export { usageSums } from './usage/sums.ts'
export {
  integer,
  USAGE_COLUMNS,
  USAGE_RECORDSET,
  USAGE_RUN_COLUMNS,
  USAGE_SOURCE_COLUMNS,
  usageRows,
  usageRunValues,
} from './usage/usage-rows.ts'
