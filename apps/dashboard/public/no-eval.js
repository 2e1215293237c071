// Before the schemas are made: zod would try whether it may compile code, which the policy of the page forbids and reports.
globalThis.__zod_globalConfig = { jitless: true }
