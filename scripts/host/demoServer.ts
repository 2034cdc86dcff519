import { startChildGroup } from './childGroup.ts';
import type { ChildExit } from './childGroup.ts';
import { freePort } from './freePort.ts';
import { demoServerFile, nodeProgram, projectRoot } from './paths.ts';
import { until } from './until.ts';

const READY_TIMEOUT_MS = 30_000;

/** What the demo's connections sign with, and the demo server checks; no secret, as anybody can read it here. */
export const demoSigningKey = 'a demo secret that anybody can read here';

export interface DemoServerSpec {
	/** The file in which the server counts what it did. */
	readonly effectsFile: string;
	/** The port to listen on; a free one when absent. */
	readonly port?: number;
	readonly env?: NodeJS.ProcessEnv;
	readonly log?: (line: string) => void;
}

export interface DemoServer {
	/** The address of its MCP endpoint. */
	readonly endpoint: string;
	readonly effectsFile: string;
	readonly pid: number;
	readonly exited: Promise<ChildExit>;
	readonly stop: () => Promise<ChildExit>;
	readonly kill: () => Promise<ChildExit>;
	readonly logTail: (lines?: number) => string;
}

/** Starts the demo server over HTTP and resolves when it listens. */
export async function startDemoServer(spec: DemoServerSpec): Promise<DemoServer> {
	const port = spec.port ?? (await freePort());
	let endpoint: string | undefined;
	const child = await startChildGroup({
		command: nodeProgram,
		args: [demoServerFile, 'http', '--port', String(port)],
		cwd: projectRoot,
		env: {
			...process.env,
			DEMO_EFFECTS_FILE: spec.effectsFile,
			DEMO_PROVENANCE_KEY: demoSigningKey,
			...spec.env,
		},
		log: (line) => {
			endpoint ??= /^listening on (\S+)$/.exec(line)?.[1];
			spec.log?.(line);
		},
	});
	let ended = false;
	void child.exited.then(() => (ended = true));
	try {
		const address = await until(
			() => {
				if (ended && endpoint === undefined) {
					throw new Error(`The demo server ended while it started:\n${child.logTail(20)}`);
				}
				return endpoint;
			},
			READY_TIMEOUT_MS,
			() => `The demo server did not become ready:\n${child.logTail(20)}`,
		);
		return {
			endpoint: address,
			effectsFile: spec.effectsFile,
			pid: child.pid,
			exited: child.exited,
			stop: async () => await child.stop('SIGTERM', 5_000),
			kill: child.kill,
			logTail: child.logTail,
		};
	} catch (error) {
		await child.kill();
		throw error;
	}
}
