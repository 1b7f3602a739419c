/** The prefix by which LiveKit's SDK marks words and speakers in its log records, some of them of level `info`. */
const MARK = 'lk.pii.'

type Write = typeof process.stdout.write

/** Log records, one JSON object per line, without conversation contents. A malformed line is dropped. */
export function withoutContents(lines: string): string {
  if (!lines.includes(MARK)) return lines
  return lines.split('\n').map(recordWithoutContents).join('\n')
}

function recordWithoutContents(line: string): string {
  if (!line.includes(MARK)) return line
  try {
    return JSON.stringify(JSON.parse(line), (key, value) => (key.startsWith(MARK) ? undefined : value))
  } catch {
    return ''
  }
}

/**
 * Filters conversation contents from everything that this process writes to its output. The SDK has no setting for that, and
 * creates its loggers in each process itself.
 */
export function keepContentsOutOfLogs(output: { write: Write } = process.stdout): void {
  const write: Write = output.write.bind(output)
  output.write = ((data: string | Uint8Array, ...rest: never[]) =>
    write(typeof data === 'string' ? withoutContents(data) : data, ...rest)) as Write
}
