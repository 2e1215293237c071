// A part that fails to draw itself says so in its place; the rest of the page goes on.
import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** "The feed": how the part is called in a sentence. */
  readonly part: string
  readonly children: ReactNode
  /** Called before the part is tried again. */
  readonly onAgain?: () => void
}

export class Boundary extends Component<BoundaryProps, { readonly failed: Error | null }> {
  override state = { failed: null }

  static getDerivedStateFromError(error: unknown): { failed: Error } {
    return { failed: error instanceof Error ? error : new Error(String(error)) }
  }

  readonly #again = () => {
    this.props.onAgain?.()
    this.setState({ failed: null })
  }

  override render(): ReactNode {
    const failed: Error | null = this.state.failed
    if (failed === null) return this.props.children
    return (
      <div className="banner broken" data-tone="bad" role="alert">
        <p>
          <strong>{this.props.part} could not be shown.</strong> {(failed as Error).message}
        </p>
        <p className="muted">The rest of the page goes on. If it fails again, reload the page.</p>
        <button type="button" onClick={this.#again}>
          Try again
        </button>
      </div>
    )
  }
}
