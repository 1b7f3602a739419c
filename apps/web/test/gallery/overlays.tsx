import { useState } from 'react'
import { Button } from '../../src/atoms/controls/button.tsx'
import { TextField } from '../../src/atoms/controls/text-field.tsx'
import { TextDiff } from '../../src/atoms/diff/text-diff.tsx'
import { Section, Toolbar } from '../../src/atoms/layout/page.tsx'
import { ConfirmDialog } from '../../src/atoms/overlays/confirm-dialog.tsx'
import { ConflictDialog } from '../../src/atoms/overlays/conflict-dialog.tsx'
import { Dialog, SideSheet } from '../../src/atoms/overlays/dialog.tsx'
import { showNotice } from '../../src/atoms/overlays/notice-store.ts'
import { Notices } from '../../src/atoms/overlays/notices.tsx'

const NAMES = ['dialog', 'sheet', 'confirm', 'conflict'] as const

/** Overlays of a page; each opens by its button. */
export function OverlayGallery() {
  const [open, setOpen] = useState<(typeof NAMES)[number] | null>(null)
  const close = () => setOpen(null)
  return (
    <Section title="Overlays">
      <Toolbar label="What opens">
        {NAMES.map((name) => (
          <Button key={name} onPress={() => setOpen(name)}>{`Open ${name}`}</Button>
        ))}
        <Button onPress={() => showNotice({ title: 'Saved', detail: 'Live for 2 teams.' })}>
          Open notice
        </Button>
      </Toolbar>
      <Notices />
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="Create an agent"
        actions={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button emphasis="primary">Create</Button>
          </>
        }
      >
        <TextField label="Name" value="" onChange={() => undefined} autoFocus />
      </Dialog>
      <SideSheet isOpen={open === 'sheet'} onClose={close} title="Model call">
        <p>Details of one thing.</p>
      </SideSheet>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete the agent Support?"
        action="Delete agent"
        isDanger
        typed="Support"
        onConfirm={close}
      >
        Two teams use it. This cannot be undone.
      </ConfirmDialog>
      <ConflictDialog
        isOpen={open === 'conflict'}
        onClose={close}
        who="Eva"
        when="2 minutes ago"
        what="agent"
        onTakeTheirs={close}
        onKeepMine={close}
        onMerge={close}
      >
        <TextDiff label="Instructions" before="Be brief." after="Be exact." />
      </ConflictDialog>
    </Section>
  )
}
