import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';

/** The machine in words that do not tell which one it is. */
export const describeMachine = (n8nVersion: string | undefined) => ({
	cores: availableParallelism(),
	cpu: cpus()[0]?.model.trim() ?? 'unknown',
	memoryGiB: Math.round(totalmem() / 1024 ** 3),
	system: `${platform()} ${arch()}`,
	node: process.versions.node,
	...(n8nVersion === undefined ? {} : { n8n: n8nVersion }),
});
