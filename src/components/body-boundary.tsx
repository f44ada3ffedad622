import { Component, type ReactNode } from 'react'

interface BodyBoundaryProps {
  children: ReactNode
  fallback: ReactNode
}

/** A body of the app's own that throws: the page stands, and the question can still be declined. React tells the error. */
export class BodyBoundary extends Component<BodyBoundaryProps, { failed: boolean }> {
  override state: { failed: boolean } = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
