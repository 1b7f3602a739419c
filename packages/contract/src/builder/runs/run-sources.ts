/** The ways in which runs of every kind are started. */
export const RUN_SOURCES = [
  'api_sync',
  'api_stream',
  'api_async',
  'playground',
  'voice',
  'workflow',
  'webhook',
  'form',
  'schedule',
  'builder',
] as const
