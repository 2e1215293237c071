// A command that the reader may type in a terminal.

export function Command({ children }: { children: string }) {
  return (
    <pre className="command">
      <code>{children}</code>
    </pre>
  )
}
