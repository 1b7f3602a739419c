import { useState } from 'react'
import { CodeField, type CodeFieldProps } from '../../atoms/code/code-field.tsx'
import { HeadingOutline } from './heading-outline.tsx'

/** An editor for the instructions of an agent or a lead, which are Markdown, with its headings below. */
export function InstructionsField(props: Omit<CodeFieldProps, 'language' | 'place'>) {
  const [place, setPlace] = useState<{ line: number } | null>(null)
  return (
    <>
      <CodeField {...props} language="markdown" place={place} />
      <HeadingOutline text={props.value} onGo={(line) => setPlace({ line })} />
    </>
  )
}
