/** Values of `${NAME}`; null refuses every variable. */
export type Variables = Readonly<Record<string, string | undefined>> | null

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g

/**
 * Interpolates variables into one text. `$${` is a literal `${`; a value is always text and never parsed as
 * YAML.
 *
 * @returns the text, and one sentence per unresolved reference; the sentences contain no values
 */
export function interpolate(text: string, variables: Variables): { text: string; problems: string[] } {
  const problems: string[] = []
  const resolved = text.replaceAll(REFERENCE, (match, name: string | undefined) => {
    if (match === `$\${`) return `\${`
    if (name === undefined) {
      problems.push(`has a \`\${\` without a variable name; write \`$\${\` for a literal \`\${\``)
    } else if (variables === null) {
      problems.push(
        `has \${${name}}, and variables are not resolved in requests: send the value, or use \`troupe apply\``,
      )
    } else if (!Object.hasOwn(variables, name) || variables[name] === undefined) {
      problems.push(`needs the environment variable ${name}, which is not set`)
    } else {
      return variables[name]
    }
    return match
  })
  return { text: resolved, problems }
}

/** Escapes a text so that {@link interpolate} returns it unchanged. */
export function escapeVariables(text: string): string {
  return text.replaceAll(`\${`, `$$$\${`)
}
