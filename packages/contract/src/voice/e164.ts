/** Phone numbers in E.164 format: a plus sign, the country, and at most 15 digits in all. */
export const E164 = /^\+[1-9]\d{6,14}$/
