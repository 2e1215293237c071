// The only reader of environment variables among the test aids.
export const strict = process.env.TREADLE_STRICT === '1'
