/** A problem of a file of a skill. */
export interface SkillProblem {
  /** The path below the skill's folder. */
  file: string
  /** 1-based; null if it concerns the whole file or its path. */
  line: number | null
  message: string
}
