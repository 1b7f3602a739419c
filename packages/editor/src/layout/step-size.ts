/** Sizes of steps on the canvas, in pixels at zoom 1. */
export const STEP_WIDTH = 208
export const STEP_HEIGHT = 56
/** The part of a Loop above its body. */
export const LOOP_HEAD = 56
/** The padding around the body of a Loop. */
export const LOOP_PADDING = 24
/** The vertical gap between two steps. */
export const GAP_Y = 56
/** The horizontal gap between two steps. */
export const GAP_X = 32
