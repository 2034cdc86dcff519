import { defineConfig } from 'vitest/config';

const hostSetup = './test/support/hostSetup.ts';

/** Projects of one group run together; a group begins when the one before it has ended. */
const FIRST = { groupOrder: 0 };
const HOST = { groupOrder: 1 };
const BROWSER = { groupOrder: 2 };

export default defineConfig({
	test: {
		maxWorkers: 2,
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					include: ['test/unit/**/*.test.ts'],
					testTimeout: 30_000,
					sequence: FIRST,
				},
			},
			{
				extends: true,
				test: {
					name: 'contract',
					include: ['test/contract/**/*.test.ts'],
					testTimeout: 15_000,
					sequence: FIRST,
				},
			},
			{
				extends: true,
				test: {
					name: 'process',
					include: ['test/process/**/*.test.ts'],
					testTimeout: 60_000,
					hookTimeout: 60_000,
					sequence: FIRST,
				},
			},
			{
				extends: true,
				test: {
					name: 'host',
					include: ['test/host/**/*.test.ts'],
					globalSetup: hostSetup,
					fileParallelism: false,
					maxWorkers: 1,
					testTimeout: 180_000,
					hookTimeout: 240_000,
					sequence: HOST,
				},
			},
			{
				extends: true,
				test: {
					name: 'browser',
					include: ['test/browser/**/*.test.ts'],
					globalSetup: hostSetup,
					fileParallelism: false,
					maxWorkers: 1,
					testTimeout: 180_000,
					hookTimeout: 240_000,
					sequence: BROWSER,
				},
			},
		],
	},
});
