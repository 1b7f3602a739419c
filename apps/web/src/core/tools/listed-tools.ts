const ANSWER = 'must be one of: '

/** What the server says about the tools that a configuration gives. */
export interface ListedTools {
  names: readonly string[]
  /** Why there are none; null when there are, or when the configuration gives none. */
  problem: string | null
}

/**
 * Which tools a configuration gives, by the answer to a call of one that it cannot have. `refusal`: what is wrong with its
 * name; `answer`: of a call that was made nonetheless, because its server or document is not available.
 */
export function listedTools(
  refusal: string | null,
  answer: { ok: true } | { ok: false; error: { message: string } } | null,
): ListedTools {
  return {
    names: refusal?.startsWith(ANSWER) ? refusal.slice(ANSWER.length).split(', ') : [],
    problem: answer && !answer.ok ? answer.error.message : null,
  }
}
