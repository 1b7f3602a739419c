export type * from './port.ts'
export { recordUsage } from './record-usage.ts'
export { rollUpUsage } from './roll-up.ts'
export { usageDays, usageSums } from './sums.ts'
export {
  integer,
  USAGE_COLUMNS,
  USAGE_RECORDSET,
  USAGE_RUN_COLUMNS,
  USAGE_SOURCE_COLUMNS,
  usageRows,
  usageRunValues,
  usageValues,
} from './usage-rows.ts'
export { voiceDays, voiceSeconds } from './voice-seconds.ts'
