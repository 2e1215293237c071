// Markdown of people and agents: text only. No markup of its own, no images, no links.
import { memo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import { revealed } from '../live/unseen-characters.model.ts'

const COMPONENTS: Components = {
  // A link's words and its target are both chosen by whoever wrote the text: the reader is shown both, and led nowhere.
  a: ({ href, children }) => (
    <span>
      {children}
      {href ? <span className="muted"> ({href})</span> : null}
    </span>
  ),
  // An image would tell a stranger that the text was read.
  img: ({ alt, src }) => (
    <span className="muted">
      [image{alt ? `: ${alt}` : ''}
      {src ? `, ${src}` : ''}]
    </span>
  ),
  // The page has its own headings.
  h1: ({ children }) => <p className="prose-head">{children}</p>,
  h2: ({ children }) => <p className="prose-head">{children}</p>,
  h3: ({ children }) => <p className="prose-head">{children}</p>,
}

/** A document of its own has headings that can be jumped between, below those of the page. */
const IN_DOCUMENT: Components = {
  ...COMPONENTS,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
}

/** The text is read once, while the page around it is drawn anew every few seconds. */
interface ProseProps {
  readonly children: string
  readonly isDocument?: boolean
}

export const Prose = memo(function Prose({ children, isDocument = false }: ProseProps) {
  return (
    <div className={isDocument ? 'prose document' : 'prose'}>
      <Markdown components={isDocument ? IN_DOCUMENT : COMPONENTS} skipHtml>
        {revealed(children)}
      </Markdown>
    </div>
  )
})
