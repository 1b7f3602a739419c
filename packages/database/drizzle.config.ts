import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'postgresql', schema: '../tables/src/**/*.ts', out: './migrations' })
