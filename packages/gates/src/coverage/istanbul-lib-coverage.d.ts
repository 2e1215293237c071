// The part of the library that we call; it brings no types of its own.
declare module 'istanbul-lib-coverage' {
  interface Totals {
    readonly total: number
    readonly covered: number
  }
  /** A CommonJS module whose names Node cannot see, hence all of it as the default. */
  const istanbul: { createCoverageMap(data: unknown): { getCoverageSummary(): { readonly lines: Totals } } }
  export = istanbul
}
