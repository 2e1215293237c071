import { z } from 'zod'

/** Where measurements go; nothing leaves the machine unless it is set here. */
export const TelemetryConfig = z.strictObject({
  otlpEndpoint: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .default(null)
    .describe('OTLP over HTTP, for example http://127.0.0.1:4318; null: nothing is sent'),
  prometheusPort: z
    .int()
    .min(1)
    .max(65_535)
    .nullable()
    .default(null)
    .describe('Port of /metrics on 127.0.0.1; null: none is served'),
})
export type TelemetryConfig = z.infer<typeof TelemetryConfig>
