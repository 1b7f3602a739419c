/** What is wrong with a file of a skill. */
export interface SkillProblem {
  /** The path below the skill's folder. */
  file: string
  /** 1-based; null when it concerns the file or its place. */
  line: number | null
  message: string
}
