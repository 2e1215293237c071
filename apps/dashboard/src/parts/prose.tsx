// Markdown of people and agents: text only. No markup of its own, no images, and links that leave say so.
import Markdown, { type Components } from 'react-markdown'

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
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

export function Prose({ children }: { children: string }) {
  return (
    <div className="prose">
      <Markdown components={COMPONENTS} skipHtml>
        {children}
      </Markdown>
    </div>
  )
}
