/** In this time after a message was sent, a press on what was its button is the second of a double click, in milliseconds. */
export const DOUBLE_CLICK_MS = 400
