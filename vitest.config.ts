import { tierConfig } from './tools/tiers.ts'

export default tierConfig('quick')
