import type { StoryLine } from './story-layout.ts'

/** What one line of a step carries, and when; times are parts of the time that the step takes. */
export interface StoryPacket {
  line: StoryLine
  startsAt: number
  lasts: number
  /** Nothing but a failure comes back from this member: the run goes on with the others. */
  hasFailed: boolean
}

/**
 * What moves in one step, along the lines that the message takes. Where only some members work at the same time, their
 * packets leave one group after the other. Where a member may fail, the last one does.
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
