import type { StoryLine } from './story-layout.ts'

/** The content and time of one line of a step; times are fractions of the step's duration. */
export interface StoryPacket {
  line: StoryLine
  startsAt: number
  lasts: number
  /** Only a failure returns from this member: the run continues with the others. */
  hasFailed: boolean
}

/**
 * The movements in one step, along the lines of the message. If only some members run concurrently, their packets leave one group
 * after the other. If a member may fail, the last one does.
 *
 * @param lines the lines of one step
 */
export function storyPackets(lines: readonly StoryLine[]): StoryPacket[] {
  const taken = lines.filter(({ step, isLit }) => isLit || step.isDetour)
  const atOnce = Math.max(1, taken[0]?.step.atOnce ?? taken.length)
  const lasts = 1 / Math.ceil(taken.length / atOnce)
  return taken.map((line, index) => ({
    line,
    startsAt: Math.floor(index / atOnce) * lasts,
    lasts,
    hasFailed: line.step.mayFail && taken.length > 1 && index === taken.length - 1,
  }))
}
