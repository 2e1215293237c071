// How many reviewers there should be for what waits.
export interface StaffFacts {
  /** Deliveries that wait for a reviewer or are being read. */
  readonly open: number
  readonly reviewersMax: number
  readonly waitingPerReviewer: number
}

/** One to begin with; another for every so many more. */
export function reviewersFor({ open, reviewersMax, waitingPerReviewer }: StaffFacts): number {
  return Math.min(reviewersMax, Math.max(1, Math.ceil(open / waitingPerReviewer)))
}
