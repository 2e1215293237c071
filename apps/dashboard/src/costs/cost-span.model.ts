// The spans of time that costs are shown for.
export const COST_SPANS = [7, 30, 90] as const
/** The number of days that the costs screen looks at. */
export type CostSpan = (typeof COST_SPANS)[number]
