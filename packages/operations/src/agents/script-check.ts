import { DomainError, type FieldError, propertyOf } from '@troupe/contract'

/** Compiles the scripts of `code` tools without executing them. */
export interface ScriptCheck {
  /** Why a source cannot be a script, with its line; null when it can. */
  problemOf(source: string): Promise<string | null>
}

/** The scripts among an agent's tools that do not compile, with their paths below `config`. */
export async function scriptErrors(scripts: ScriptCheck, tools: unknown): Promise<FieldError[]> {
  const errors: FieldError[] = []
  if (!Array.isArray(tools)) return errors
  for (const [index, tool] of tools.entries()) {
    const source = propertyOf(tool, 'type') === 'code' ? propertyOf(tool, 'source') : null
    const message = typeof source === 'string' ? await scripts.problemOf(source) : null
    if (message !== null) errors.push({ path: `config.tools.${index}.source`, message })
  }
  return errors
}

/** @throws DomainError `validation_error` for scripts that do not compile */
export async function requireScripts(scripts: ScriptCheck, tools: unknown): Promise<void> {
  const errors = await scriptErrors(scripts, tools)
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'The configuration has a script that does not compile.', {
      errors,
    })
  }
}
