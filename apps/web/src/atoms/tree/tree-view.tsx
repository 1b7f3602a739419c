import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button,
  Collection,
  type Key,
  type Selection,
  Tree,
  TreeItem,
  TreeItemContent,
} from 'react-aria-components'
import styles from './tree.module.css'

/** One row of a tree, with the rows below it. */
export interface TreeNode {
  id: string
  /** For screen readers and for finding by typing. */
  name: string
  /** The label for screen readers, instead of the name. */
  spoken?: string
  label: ReactNode
  /** Before the label: a status. */
  lead?: ReactNode
  /** At the end of the row: a time. */
  end?: ReactNode
  /** A button of the row, rendered while the row is hovered or focused: hundreds would delay the list. */
  action?(): ReactNode
  /** Its action is in use, so that it stays in sight. */
  isActing?: boolean
  children?: readonly TreeNode[]
}

export interface TreeViewProps {
  label: string
  nodes: readonly TreeNode[]
  /** Ids of the open rows. */
  expanded: ReadonlySet<string>
  onExpand(expanded: ReadonlySet<string>): void
  selected: string | null
  /** Rows are selected by a press or Enter only: a selection on focus would cover the tree. Otherwise moving also selects. */
  isPressed?: boolean
  onSelect(id: string): void
}

/** A tree of rows. Arrows move, open and close; typing finds. For a few hundred rows. */
export function TreeView(props: TreeViewProps) {
  const { label, nodes, expanded, onExpand, selected, isPressed = false, onSelect } = props
  const choosing = isPressed
    ? ({ selectionMode: 'none', onAction: (key: Key) => onSelect(String(key)) } as const)
    : ({
        selectionMode: 'single',
        selectionBehavior: 'replace',
        selectedKeys: selected === null ? [] : [selected],
        onSelectionChange: (keys: Selection) => {
          const [first] = keys === 'all' ? [] : keys
          if (first !== undefined) onSelect(String(first))
        },
      } as const)
  return (
    <Tree
      aria-label={label}
      items={nodes}
      className={styles.tree ?? ''}
      expandedKeys={expanded}
      onExpandedChange={(keys) => onExpand(new Set([...keys].map(String)))}
      {...choosing}
    >
      {(node) => <TreeRow node={node} />}
    </Tree>
  )
}

function TreeRow({ node }: { node: TreeNode }) {
  const { id, name, spoken = name, label, lead, end, action, isActing, children = [] } = node
  return (
    <TreeItem id={id} textValue={name} aria-label={spoken} className={styles.item ?? ''}>
      <TreeItemContent>
        {({ isHovered, isFocusVisible, isFocusVisibleWithin }) => (
          <div className={styles.row}>
            {children.length > 0 ? (
              <Button slot="chevron" className={styles.toggle ?? ''}>
                <ChevronRight size={14} />
              </Button>
            ) : (
              <span className={styles.toggle} />
            )}
            {lead}
            <span className={styles.label}>{label}</span>
            {(isActing || isHovered || isFocusVisible || isFocusVisibleWithin) && action?.()}
            {end && <span className={styles.end}>{end}</span>}
          </div>
        )}
      </TreeItemContent>
      <Collection items={children}>{(child) => <TreeRow node={child} />}</Collection>
    </TreeItem>
  )
}
