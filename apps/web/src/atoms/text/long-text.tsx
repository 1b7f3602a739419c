import { useState } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { firstPart } from './first-part.ts'

/**
 * A text of any length. A long one is rendered in steps, because a single layout of all of it would freeze the
 * page.
 */
export function LongText({ text }: { text: string }) {
  const [steps, setSteps] = useState(1)
  const shown = firstPart(text, steps)
  if (shown.length === text.length) return text
  return (
    <>
      {shown}
      <div>
        <Button size="small" onPress={() => setSteps(steps + 1)}>
          {words.showMore}
        </Button>
      </div>
    </>
  )
}
