import { defineConfig } from 'vitest/config';

const hostSetup = './test/support/hostSetup.ts';

/** Projects of one group run together; a group begins when the one before it has ended. */
const FIRST = { groupOrder: 0 };
// Before the host tests, which share its n8n: an editor that has their hundreds of credentials to offer stands still.
const BROWSER = { groupOrder: 1 };
const HOST = { groupOrder: 2 };
const OUTAGE = { groupOrder: 3 };
const PAGE = { groupOrder: 4 };

export default defineConfig({
	test: {
		maxWorkers: 2,
		// For tests that mostly wait for n8n's once-a-minute look, and wait together.
		maxConcurrency: 40,
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
				// The resume page in a browser, served without n8n.
				extends: true,
				test: {
					name: 'page',
					include: ['test/page/**/*.test.ts'],
					fileParallelism: false,
					maxWorkers: 1,
					testTimeout: 60_000,
					hookTimeout: 60_000,
					sequence: PAGE,
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
				// Tests that start, kill and start n8n instances of their own.
				extends: true,
				test: {
					name: 'outage',
					include: ['test/outage/**/*.test.ts'],
					fileParallelism: false,
					maxWorkers: 1,
					testTimeout: 240_000,
					hookTimeout: 240_000,
					sequence: OUTAGE,
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
