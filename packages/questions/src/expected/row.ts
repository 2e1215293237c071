// What a question of the catalogue must be, written by hand beside the rows of the requirements.
import type { Fact } from '../facts.ts'

export type Row = {
  row: number
  agent: string
  event: string
  phase?: string
  facts: Record<string, Fact>
  /** Facts with which it is not asked. */
  not?: Record<string, Fact>
  type: string
  blocking: boolean
  options: string[]
  recommended?: string
  default?: string
  freeText: boolean
  /** What a person reads in it. */
  says: string[]
  implications?: Record<string, string>
}
