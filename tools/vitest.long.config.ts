import { tierConfig } from './tiers.ts'

export default tierConfig('long')
