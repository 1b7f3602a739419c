/** After a message was sent, a press on the previous button within this time is the second of a double click, in milliseconds. */
export const DOUBLE_CLICK_MS = 400
