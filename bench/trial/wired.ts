// The settings that a crew has if nobody says otherwise: what is calibrated is what runs.
import { LessonsConfig } from '@treadle/contracts/config/lessons'

export const WIRED: LessonsConfig = LessonsConfig.parse({})
