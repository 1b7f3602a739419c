/** How LiveKit's SDK marks what was said, and by whom, in its records; among them some of level `info`. */
const MARK = 'lk.pii.'

type Write = typeof process.stdout.write

/** Records of a log, one JSON object a line, without what was said in a conversation. A line that is none is dropped. */
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
 * Keeps conversations out of what this process writes to its output from now on. The SDK has no setting for that, and makes
 * its loggers in each process itself.
 */
export function keepContentsOutOfLogs(output: { write: Write } = process.stdout): void {
  const write: Write = output.write.bind(output)
  output.write = ((data: string | Uint8Array, ...rest: never[]) =>
    write(typeof data === 'string' ? withoutContents(data) : data, ...rest)) as Write
}
