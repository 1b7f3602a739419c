import { DomainError } from '@troupe/contract'
import type { SkillProblem } from './files/skill-problem.ts'

/** Also for malformed ids and for skills of other organizations: all look the same. */
export function skillNotFound(): DomainError {
  return new DomainError('skill_not_found', 'Skill not found in this organization.')
}

export function skillForbidden(): DomainError {
  return new DomainError('forbidden', 'The skill does not belong to the project of this API key.')
}

/** A problem with its file, without the period: "SKILL.md, line 3: name is required", "SKILL.md is missing". */
export function problemInFile(problem: SkillProblem): string {
  return `${problem.file}${problem.line === null ? '' : ','} ${problemText(problem)}`
}

function problemText({ line, message }: SkillProblem): string {
  return line === null ? message : `line ${line}: ${message}`
}

/** @returns `validation_error` with every problem, whose paths start with `files` */
export function invalidSkill(problems: readonly SkillProblem[]): DomainError {
  const [first] = problems
  const about = first ? ` ${problemInFile(first)}.` : ''
  return new DomainError('validation_error', `The skill is not valid.${about}`, {
    errors: problems.map((one) => ({ path: `files.${one.file}`, message: problemText(one) })),
  })
}
