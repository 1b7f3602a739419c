/** Keys of the clipboard, on the canvas and in the list. */
export const CLIPBOARD_KEYS = { copy: 'mod+c', cut: 'mod+x', paste: 'mod+v' } as const

export const HISTORY_KEYS = { undo: 'mod+z', redo: 'mod+shift+z' } as const

/** Keys of the canvas that do not change the draft. */
export const CANVAS_KEYS = [
  ['x', 'select'],
  ['mod+a', 'selectAll'],
  ['m', 'move'],
  ['f', 'fold'],
  ['+', 'zoomIn'],
  ['-', 'zoomOut'],
  ['1', 'fit'],
  ['2', 'center'],
] as const
