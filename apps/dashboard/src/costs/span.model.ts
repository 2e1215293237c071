export const COST_SPANS = [7, 30, 90] as const
/** How many days are looked at. */
export type CostSpan = (typeof COST_SPANS)[number]
