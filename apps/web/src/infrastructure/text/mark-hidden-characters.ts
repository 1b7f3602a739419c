import { hasHiddenCharacter, withVisibleCharacters } from '../../core/format/hidden-characters.ts'

/** Edited text must stay unchanged; the code editor has its own marks. */
const EDITED = 'textarea, script, style, [contenteditable], .cm-editor'

/**
 * Shows the codes of hidden characters wherever a text appears, before it is painted: names, outputs and messages come
 * from users. A bidi control character in user text could reorder the sentence around it. The page's own texts have none.
 */
export function markHiddenCharacters(root: Node): void {
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') markText(target)
      for (const node of addedNodes) markTexts(node)
    }
  })
  observer.observe(root, { subtree: true, childList: true, characterData: true })
  markTexts(root)
}

function markTexts(node: Node): void {
  // A changed text is mostly harmless, and then nothing is traversed.
  if (!hasHiddenCharacter(node.textContent ?? '')) return
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
  markText(node)
  while (texts.nextNode()) markText(texts.currentNode)
}

function markText(node: Node): void {
  if (!(node instanceof Text) || !hasHiddenCharacter(node.data)) return
  if (node.parentElement?.closest(EDITED)) return
  node.data = withVisibleCharacters(node.data)
}
