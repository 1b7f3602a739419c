import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'

/**
 * Structured JSON logs. Callers pass named fields only; as a second line of defence, fields with the names of
 * secrets are redacted and errors are reduced to type, message and stack.
 */
export function createLogger(log: { level: LevelWithSilent }, destination?: DestinationStream): Logger {
  const options = {
    level: log.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  }
  return pino(options, destination ?? standardOutput())
}

/**
 * The standard output. When it is closed, such as that of a closed terminal (EIO), nothing more is logged: SonicBoom would retry a fatal
 * line forever and block the process from ending.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination(1)
  stream.on('error', () => {
    stream.write = () => true
    stream.flushSync = () => {}
  })
  return stream
}

const SECRET_FIELDS = [
  'authorization',
  '["x-api-key"]',
  'cookie',
  'apiKey',
  'secret',
  'password',
  'credentials',
  'adminToken',
  'databaseUrl',
  'redisUrl',
  'smtpUrl',
  'accessKeyId',
  'secretAccessKey',
]
