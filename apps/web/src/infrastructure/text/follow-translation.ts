/**
 * Keeps the page working and current while the browser translates it. A translator replaces text nodes by `<font>` elements; React
 * still holds the text nodes, and its next `removeChild` or `insertBefore` throws (facebook/react#11538).
 *
 * The observer records the element that replaces each text: React's removals and insertions are redirected to that element, and
 * later changes of the text are shown in it. Call once, before the first render.
 */
export function followTranslation(root: Node): void {
  const replacements = new WeakMap<Node, Element>()
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') showChanged(record.target)
      const [removed] = record.removedNodes
      const shown = removed instanceof Text ? replacementIn(record) : null
      if (!removed || shown === null) continue
      replacements.set(removed, shown)
      // A node outside the document reports its changes only when it is observed itself.
      observer.observe(removed, { characterData: true })
    }
  })
  observer.observe(root, { childList: true, subtree: true })

  function showChanged(text: Node): void {
    const shown = replacements.get(text)
    if (shown?.isConnected && !text.isConnected) shown.textContent = text.textContent
  }

  /** The child of `parent` that shows `node`; null when the translator has left none. */
  function childOf(parent: Node, node: Node): Node | null {
    let found: Node | null = replacements.get(node) ?? node
    while (found !== null && found.parentNode !== parent) found = found.parentNode
    return found
  }

  // Records of the current task have not been delivered yet when React acts on them.
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T
    const shown = childOf(this, child)
    if (shown !== null) removeChild.call(this, shown)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const isOwn = before === null || before.parentNode === this
    return insertBefore.call(this, node, isOwn ? before : childOf(this, before)) as T
  }
}

/**
 * The element that a translator put in place of the text that a record removes: in one step, or inserted beside it
 * earlier.
 */
function replacementIn({ addedNodes, previousSibling, nextSibling }: MutationRecord): Element | null {
  const candidates = addedNodes.length > 0 ? [...addedNodes] : [previousSibling, nextSibling]
  return candidates.find(isFont) ?? null
}

const isFont = (node: Node | null): node is Element => node instanceof Element && node.localName === 'font'
