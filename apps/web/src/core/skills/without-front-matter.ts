/** A Markdown text without its YAML front matter; unchanged when it has none. */
export function withoutFrontMatter(text: string): string {
  const lines = text.split('\n')
  const isRule = (line: string | undefined) => line?.trimEnd() === '---'
  if (!isRule(lines[0])) return text
  const end = lines.findIndex((line, index) => index > 0 && isRule(line))
  return end === -1
    ? text
    : lines
        .slice(end + 1)
        .join('\n')
        .trimStart()
}
